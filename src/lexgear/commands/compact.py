"""The `compact` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.terminal import counted, progress_bar


def compact(
    index: Annotated[Path, typer.Argument(help="Index directory, made by lexgear train.")],
) -> None:
    """Merge the segments that additions leave, and drop removed documents. Rankings and scores stay the same."""
    from lexgear.api import Index

    with progress_bar("Reading the index") as progress:
        loaded = Index.load(index)
        progress(1, 1)
    before = len(loaded.stored.manifest.segments)
    with progress_bar("Merging segments") as progress:
        loaded.compact(progress)
        progress(1, 1)
    manifest = loaded.stored.manifest
    segments = f"{counted(before, 'segment')} before, {len(manifest.segments)} now"
    print(f"{index}: {counted(manifest.documents, 'document')}; {segments}")
