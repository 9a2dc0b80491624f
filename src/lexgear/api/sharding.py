"""Sharding of an index: its documents are divided among several indexes, which share what was learnt."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from lexgear.api.index import Index
from lexgear.atomic import atomic_directory, check_output
from lexgear.errors import ErrorCode, InputError
from lexgear.index.catalogue import PART as CATALOGUE
from lexgear.index.catalogue import Catalogue
from lexgear.index.catalogue_writing import merge_catalogues
from lexgear.index.manifest import (
    FORMAT,
    MANIFEST,
    MARKER,
    SegmentEntry,
    SegmentParts,
    describe_part,
    manifest_text,
)
from lexgear.index.shards import shard_of, write_shards_manifest
from lexgear.index.store import StoredIndex, link
from lexgear.progress import Progress, silent
from lexgear.rankers.segmented import SegmentedRanker


def shard_index(index: Index, shards: int, out: str | Path, progress: Progress = silent) -> Index:
    """Divide the documents of an index among a number of shards, write them to `out` and open the result.

    Searches give the same results. Documents are assigned by their ids, so that a document that is added later has its
    place as well.
    """
    stored, ranker, out = index.stored, index.ranker, Path(out)
    check_output(out, MARKER, stored.directory)
    if shards < 1:
        raise InputError(f"{shards} shards", code=ErrorCode.INVALID_ARGUMENT, remedy="choose at least one")
    if not isinstance(ranker, SegmentedRanker) or not stored.manifest.segments:
        raise InputError(
            f"an index of {ranker.name} cannot be sharded",
            code=ErrorCode.INVALID_ARGUMENT,
            file=stored.directory,
            remedy="use an index of lexgear, bm25 or query_likelihood; compact it if an earlier version wrote it",
        )
    numbers = [np.array([shard_of(name, shards) for name in one.ids], np.int64) for one in ranker.segments]
    with atomic_directory(out, MARKER) as temporary:
        for shard in range(shards):
            progress(shard, shards, "writing shards")
            own = [np.flatnonzero(number == shard) for number in numbers]
            directory = temporary / f"shard.{shard}"
            directory.mkdir()
            _write_shard(stored, ranker, own, directory)
        write_shards_manifest(temporary, shards)
    progress(shards, shards)
    return Index.load(out)


def _write_shard(stored: StoredIndex, ranker: SegmentedRanker, own: list[Any], directory: Path) -> None:
    """Write the documents at some positions of each segment as an index with one segment."""
    kept, catalogues = [], []
    for features, positions, catalogue in zip(ranker.segments, own, stored.catalogue.parts, strict=True):
        others = np.setdiff1d(np.arange(len(features)), positions)
        left = features.without(others) if len(others) else features
        if len(left.removed) < len(features):
            kept.append(left)
            catalogues.append(Catalogue(catalogue.path, left.removed.tolist()))
    if not kept:
        raise InputError(
            "a shard would have no documents",
            code=ErrorCode.INVALID_ARGUMENT,
            file=stored.directory,
            remedy="choose fewer shards",
        )
    for name in stored.manifest.parts:
        link(stored.parts / name, directory / name)
    segment = type(kept[0]).merged(kept)
    segment.save(directory)
    merge_catalogues(directory / CATALOGUE, catalogues)
    for catalogue in catalogues:
        catalogue.close()
    learnt = stored.manifest.parts
    paths = [path for path in sorted(directory.iterdir()) if path.name not in learnt]
    entry = SegmentEntry(SegmentParts("", "", len(segment), {path.name: describe_part(path) for path in paths}))
    manifest = replace(stored.manifest, format=FORMAT, folder="", documents=len(segment), segments=(entry,))
    (directory / MANIFEST).write_text(manifest_text(asdict(manifest)), encoding="utf-8")
