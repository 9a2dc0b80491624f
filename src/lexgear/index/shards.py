"""Sharded indexes: a directory of indexes over disjoint documents that share what was learnt, read as one.

Each shard is an index with a manifest of its own, so that shards change one by one. Read together, they are one index
with the segments of all shards: a ranking depends on the live documents, not on how segments divide them.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from lexgear.errors import ErrorCode, InputError
from lexgear.index.manifest import (
    FORMAT,
    MANIFEST,
    REBUILD,
    SHARDS,
    Manifest,
    SegmentEntry,
    SegmentParts,
    manifest_text,
    read_fields,
    read_manifest,
)


def shard_of(document_id: str, shards: int) -> int:
    """Return the number of the shard that a document belongs to, by its id alone."""
    return zlib.crc32(document_id.encode("utf-8", "surrogatepass")) % shards


def shard_directories(directory: Path) -> tuple[Path, ...]:
    """Return the directories of the shards of an index; none if it is not sharded."""
    fields = read_fields(directory)
    names = fields.get(SHARDS, [])
    if SHARDS in fields and (not names or names != [f"shard.{number}" for number in range(len(names))]):
        problem, path = "not the manifest of an index", directory / MANIFEST
        raise InputError(problem, code=ErrorCode.NOT_AN_INDEX, file=path, remedy=REBUILD)
    return tuple(directory / name for name in names)


def write_shards_manifest(directory: Path, shards: int) -> None:
    """Write the manifest of a directory with the shards `shard.0`, `shard.1`, …"""
    names = [f"shard.{number}" for number in range(shards)]
    fields = {"format": FORMAT, "lexgear": version("lexgear"), SHARDS: names}
    (directory / MANIFEST).write_text(manifest_text(fields), encoding="utf-8")


def combined_manifest(directories: Sequence[Path]) -> Manifest:
    """Read the manifests of all shards, and return that of all together."""
    return combined(directories, [read_manifest(one) for one in directories])


def combined(directories: Sequence[Path], manifests: Sequence[Manifest]) -> Manifest:
    """Return the manifest of all shards together: the learnt parts of the first and the segments of all."""
    [first, *others] = manifests
    for other, directory in zip(others, directories[1:], strict=True):
        if _learnt(other) != _learnt(first):
            raise InputError(
                "this shard was not made with the first one",
                code=ErrorCode.INDEX_DAMAGED,
                file=directory,
                remedy="shard the index again",
            )
    return replace(
        first,
        format=max(one.format for one in manifests),
        documents=sum(one.documents for one in manifests),
        folder=_inside(directories[0], first.folder),
        segments=tuple(
            _moved(segment, directory)
            for one, directory in zip(manifests, directories, strict=True)
            for segment in one.segments
        ),
    )


def _learnt(manifest: Manifest) -> Manifest:
    """Return what all shards of an index have in common."""
    return replace(manifest, format=0, lexgear="", documents=0, folder="", segments=())


def _moved(segment: SegmentEntry, directory: Path) -> SegmentEntry:
    removed = segment.removed and _moved_parts(segment.removed, directory)
    return SegmentEntry(_moved_parts(segment.stored, directory), removed)


def _moved_parts(parts: SegmentParts, directory: Path) -> SegmentParts:
    return replace(parts, folder=_inside(directory, parts.folder))


def _inside(directory: Path, folder: str) -> str:
    return f"{directory.name}/{folder}" if folder else directory.name
