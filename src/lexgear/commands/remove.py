"""The `remove` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import counted, progress_bar


def remove(
    index: Annotated[Path, typer.Argument(help="Index directory, made by lexgear train.")],
    ids: Annotated[list[str] | None, typer.Argument(help="Document ids.", show_default=False)] = None,
    from_: Annotated[Path | None, typer.Option("--from", help="File with document ids, one per line.")] = None,
) -> None:
    """Remove documents from an index without training. Either all are removed or none."""
    from lexgear.api import Index
    from lexgear.files import read_text

    listed = read_text(from_).split() if from_ else []
    removed = set(ids or ()) | set(listed)
    if not removed:
        raise InputError("give document ids, or a file of them with --from", code=ErrorCode.USAGE)
    with progress_bar("Reading the index") as progress:
        loaded = Index.load(index)
        progress(1, 1)
    with progress_bar("Removing documents") as progress:
        loaded.remove(removed, progress)
    print(f"{index}: {counted(len(removed), 'document')} removed; {loaded.stored.manifest.documents:,} left")
