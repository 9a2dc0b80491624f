"""The `check` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import ErrorCode, InputError


def check(
    index: Annotated[Path, typer.Argument(help="Index directory.")],
    sha256: Annotated[
        str | None, typer.Option(help="Checksum that an earlier check printed; another index is refused.")
    ] = None,
) -> None:
    """Verify size and checksum of every part of an index, and print the checksum of all parts together.

    The checksums in an index show damage. Those who can write to it can change them too: keep the printed one elsewhere
    to find out.
    """
    from lexgear.index.manifest import manifest_sha256, read_manifest
    from lexgear.index.shards import shard_directories
    from lexgear.index.store import StoredIndex

    manifest, parts = read_manifest(index), 0
    found = manifest_sha256(manifest)
    if sha256 is not None and sha256 != found:
        raise InputError(
            f"another index, with the checksum {found}",
            code=ErrorCode.INDEX_DAMAGED,
            file=index,
            remedy="restore the index, or find out who has changed it",
        )
    for directory in shard_directories(index) or (index,):
        stored = StoredIndex(directory)
        stored.check()
        parts += sum(1 for _ in stored.manifest.files())
    print(f"{index}: {manifest.ranker} over {manifest.documents:,} documents, {parts} parts, all intact")
    print(f"sha256 {found}")
