"""Commands that change which documents an index has, without training."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.display import progress_bar
from lexgear.errors import InputError


def add(
    index: Annotated[Path, typer.Argument(help="An index directory made by lexgear train.")],
    documents: Annotated[Path, typer.Argument(help="JSON lines, as in a collection's documents.jsonl.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Documents whose id the index has already take its place.")
    ] = False,
) -> None:
    """Add documents to an index without training; they are found at once.

    A line has an id and a text, or the sections of a judgment (fact, reasoning, verdict). Where it has no charges, they
    are read out of a Chinese judgment's text, as lexgear import jsonl does. All lines are added, or none.
    """
    from lexgear.api import Index
    from lexgear.corpus.additions import read_additions

    with progress_bar("Reading the index") as progress:
        loaded = Index.load(index)
        progress(1, 1)
    new, before = read_additions(documents, loaded.law), loaded.stored.manifest.documents
    with progress_bar("Adding documents") as progress:
        loaded.add(new, replace=replace, progress=progress)
    total = loaded.stored.manifest.documents
    replaced = before + len(new) - total
    said = f", {replaced:,} of them in place of others" if replaced else ""
    print(f"{index}: {len(new):,} {_documents(len(new))} added{said}; {total:,} in all")


def remove(
    index: Annotated[Path, typer.Argument(help="An index directory made by lexgear train.")],
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of the documents.", show_default=False)] = None,
    from_: Annotated[Path | None, typer.Option("--from", help="A file of ids, one a line.")] = None,
) -> None:
    """Remove documents from an index without training. All are removed, or none."""
    from lexgear.api import Index
    from lexgear.files import read_text

    listed = read_text(from_).split() if from_ else []
    gone = set(ids or ()) | set(listed)
    if not gone:
        raise InputError("remove takes the ids of documents, or --from with a file of them")
    with progress_bar("Reading the index") as progress:
        loaded = Index.load(index)
        progress(1, 1)
    with progress_bar("Removing documents") as progress:
        loaded.remove(gone, progress)
    print(f"{index}: {len(gone):,} {_documents(len(gone))} removed; {loaded.stored.manifest.documents:,} left")


def _documents(count: int) -> str:
    return "document" if count == 1 else "documents"
