"""Sharding of an index: its documents are divided among several indexes, which share what was learnt."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import numpy as np

from lexgear.api.index import Index
from lexgear.api.training import save
from lexgear.atomic import atomic_directory, check_output
from lexgear.corpus.records import Collection
from lexgear.engine.base import Engine
from lexgear.engine.shared_files import check_seen
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
from lexgear.lexical.spilling import spilling_to
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker
from lexgear.rankers.segmented import SegmentedRanker


def shard_index(
    index: Index, shards: int, out: str | Path, progress: Progress = silent, engine: Engine | None = None
) -> Index:
    """Divide the documents of an index among a number of shards, write them to `out` and open the result.

    Searches give the same results. Documents are assigned by their ids, so that a document that is added later has its
    place as well. With an engine, its workers write the shards; they must see both directories.
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
    with atomic_directory(out, MARKER) as temporary:
        write = partial(_write_shard, stored, ranker, shards, temporary)
        if engine is not None:
            write = partial(_write_shard_of, stored.directory.absolute(), shards, temporary.absolute())
        written: Iterator[Path] = map(write, range(shards)) if engine is None else engine.map(write, range(shards))
        progress(0, shards, "writing shards")
        for done, _ in enumerate(written, start=1):
            progress(done, shards, "writing shards")
        write_shards_manifest(temporary, shards)
    return Index.load(out)


def save_shards(
    collection: Collection,
    ranker: Ranker,
    out: Path,
    shards: int,
    progress: Progress = silent,
    engine: Engine | None = None,
) -> Index:
    """Write the index of a fitted ranker in shards; a whole one is written beside it first and removed in the end."""
    whole = out.with_name(f"{out.name}.whole")
    try:
        return shard_index(save(collection, ranker, whole, progress), shards, out, progress, engine)
    finally:
        shutil.rmtree(whole, ignore_errors=True)


def _write_shard_of(index: Path, shards: int, temporary: Path, shard: int) -> Path:
    """Write a shard in a process that has not loaded the index."""
    check_seen(index)
    check_seen(temporary)
    loaded = Index.load(index)
    assert isinstance(loaded.ranker, SegmentedRanker)
    shutil.rmtree(temporary / f"shard.{shard}", ignore_errors=True)  # of a worker that died
    return _write_shard(loaded.stored, loaded.ranker, shards, temporary, shard)


def _write_shard(stored: StoredIndex, ranker: SegmentedRanker, shards: int, temporary: Path, shard: int) -> Path:
    """Write the documents of a shard as an index with one segment, and return its directory."""
    directory = temporary / f"shard.{shard}"
    directory.mkdir()
    kept, masks, catalogues = [], [], []
    for features, catalogue in zip(ranker.segments, stored.catalogue.parts, strict=True):
        own = np.fromiter((shard_of(name, shards) == shard for name in features.ids), np.bool_, len(features))
        mask = own & features.live
        if mask.any():
            kept.append(features)
            masks.append(mask)
            catalogues.append(Catalogue(catalogue.path, np.flatnonzero(~mask).tolist()))
    if not kept:
        raise InputError(
            "a shard would have no documents",
            code=ErrorCode.INVALID_ARGUMENT,
            file=stored.directory,
            remedy="choose fewer shards",
        )
    for name in stored.manifest.parts:
        link(stored.parts / name, directory / name)
    with spilling_to(temporary):
        segment = type(kept[0]).merged(kept, masks)
    segment.save(directory)
    merge_catalogues(directory / CATALOGUE, catalogues)
    for catalogue in catalogues:
        catalogue.close()
    learnt = stored.manifest.parts
    paths = [path for path in sorted(directory.iterdir()) if path.name not in learnt]
    entry = SegmentEntry(SegmentParts("", "", len(segment), {path.name: describe_part(path) for path in paths}))
    manifest = replace(stored.manifest, format=FORMAT, folder="", documents=len(segment), segments=(entry,))
    (directory / MANIFEST).write_text(manifest_text(asdict(manifest)), encoding="utf-8")
    return directory
