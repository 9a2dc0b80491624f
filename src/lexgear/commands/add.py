"""The `add` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.terminal import counted, progress_bar


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
    from lexgear.corpus.new_documents import read_new_documents

    with progress_bar("Reading the index") as progress:
        loaded = Index.load(index)
        progress(1, 1)
    new, before = read_new_documents(documents, loaded.law), loaded.stored.manifest.documents
    with progress_bar("Adding documents") as progress:
        loaded.add(new, replace=replace, progress=progress)
    total = loaded.stored.manifest.documents
    replaced = before + len(new) - total
    said = f", {replaced:,} of them in place of others" if replaced else ""
    print(f"{index}: {counted(len(new), 'document')} added{said}; {total:,} in all")
