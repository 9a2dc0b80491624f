"""The `check` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def check(index: Annotated[Path, typer.Argument(help="Index directory.")]) -> None:
    """Verify size and checksum of every part of an index."""
    from lexgear.index.store import StoredIndex

    stored = StoredIndex(index)
    stored.check()
    manifest = stored.manifest
    parts = sum(1 for _ in manifest.files())
    print(f"{index}: {manifest.ranker} over {manifest.documents:,} documents, {parts} parts, all intact")
