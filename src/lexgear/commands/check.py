"""The `check` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def check(index: Annotated[Path, typer.Argument(help="Index directory.")]) -> None:
    """Verify size and checksum of every part of an index."""
    from lexgear.index.manifest import read_manifest
    from lexgear.index.shards import shard_directories
    from lexgear.index.store import StoredIndex

    manifest, parts = read_manifest(index), 0
    for directory in shard_directories(index) or (index,):
        stored = StoredIndex(directory)
        stored.check()
        parts += sum(1 for _ in stored.manifest.files())
    print(f"{index}: {manifest.ranker} over {manifest.documents:,} documents, {parts} parts, all intact")
