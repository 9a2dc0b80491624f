"""The `check` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    pass


def check(index: Annotated[Path, typer.Argument(help="An index directory.")]) -> None:
    """Verify every part of an index against its manifest."""
    from lexgear.index.store import StoredIndex

    stored = StoredIndex(index)
    stored.check()
    manifest = stored.manifest
    print(f"{index}: {manifest.ranker} over {manifest.documents:,} documents, {len(manifest.parts)} parts, all whole")
