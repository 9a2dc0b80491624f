"""A sharded index on an engine: one actor per shard and replica, and the index that searches them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from lexgear.api.index import Index
from lexgear.api.shard_actors import PATIENCE, ShardActors
from lexgear.engine.base import ActorType, Engine
from lexgear.engine.shared_files import check_seen
from lexgear.errors import ErrorCode, InputError
from lexgear.index.manifest import manifest_sha256
from lexgear.index.shards import combined, shard_directories
from lexgear.index.store import StoredIndex, read_consistently
from lexgear.rankers.lexgear.coordinator import Coordinator
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.shard import LexgearShard


def open_on(engine: Engine, directory: str | Path, replicas: int = 1, patience: float = PATIENCE) -> Index:
    """Open a sharded index whose documents are scored by actors of an engine; raise `InputError` for other indexes.

    All machines must see the directory under the same path. This process maps the files of all shards, but reads only
    their statistics, ids and the documents that are shown. A search waits for a shard that is being started again as
    many seconds as `patience` says.
    """
    index, stored = _read_together(Path(directory).absolute())
    if not isinstance(index.ranker, Lexgear):
        raise InputError(
            f"an index of {index.ranker.name} cannot be searched on a cluster",
            code=ErrorCode.INVALID_ARGUMENT,
            file=index.stored.directory,
            remedy="use an index of the ranker lexgear, or search it on one machine",
        )
    sizes = [int(one.catalogue.offsets[-1]) for one in stored]
    kinds = [ActorType(open_shard, (str(one.directory), manifest_sha256(one.manifest))) for one in stored]
    rows = [[engine.actor(kind, shard + replica) for replica in range(replicas)] for shard, kind in enumerate(kinds)]
    placed = ShardActors(rows, patience)
    try:
        placed.open()
        index.ranker.shards = Coordinator(index.ranker, sizes, placed)
    except BaseException:  # a service tries again later, and must not fill the machines with actors of each attempt
        placed.close()
        index.close()
        raise
    return index


def _read_together(directory: Path) -> tuple[Index, list[StoredIndex]]:
    """Read an index, and each of its shards at the same version.

    If a shard changed in between, its actors would score other documents than those that the index has at a position.
    """
    while True:
        shards = shard_directories(directory)
        if not shards:
            raise InputError(
                "the index is not sharded",
                code=ErrorCode.INVALID_ARGUMENT,
                file=directory,
                remedy="divide it into shards first",
            )
        index = Index.load(directory)
        stored = [read_consistently(shard, partial(StoredIndex, shard)) for shard in shards]
        for one in stored:
            one.catalogue.close()
        if combined(shards, [one.manifest for one in stored]) == index.stored.manifest:
            return index, stored
        index.close()


def open_shard(directory: str, expected: str) -> LexgearShard:
    """Open one shard, in the process of its actor; `expected` is the checksum of its manifest."""
    check_seen(directory)
    index = Index.load(directory)
    if manifest_sha256(index.stored.manifest) != expected:
        raise InputError(
            "the shard has changed since the index was opened",
            code=ErrorCode.SHARD_MISSING,
            remedy="open the index again",
        )
    assert isinstance(index.ranker, Lexgear)
    return LexgearShard(index.ranker)
