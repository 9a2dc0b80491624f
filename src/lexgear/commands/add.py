"""The `add` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.terminal import counted, progress_bar


def add(
    index: Annotated[Path, typer.Argument(help="Index directory, made by lexgear train.")],
    documents: Annotated[
        Path, typer.Argument(help="JSON lines file with documents, as documents.jsonl of a collection.")
    ],
    replace: Annotated[bool, typer.Option("--replace", help="Replace documents whose id is in the index.")] = False,
) -> None:
    """Add documents to an index without training.

    Each line is a JSON object with an id and a text, or with the sections of a judgment (fact, reasoning, verdict). If
    it has no charges, they are extracted from the text of a Chinese judgment, as by `lexgear import jsonl`. Either all
    documents are added or none.
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
    of_these = f", {replaced:,} of them as replacements" if replaced else ""
    print(f"{index}: {counted(len(new), 'document')} added{of_these}; {total:,} in total")
