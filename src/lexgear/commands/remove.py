"""The `remove` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import InputError
from lexgear.terminal import counted, progress_bar


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
    print(f"{index}: {counted(len(gone), 'document')} removed; {loaded.stored.manifest.documents:,} left")
