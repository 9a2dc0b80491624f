"""A sharded index on an engine: one actor per shard and replica, and the index that searches them."""

from __future__ import annotations

from pathlib import Path

from lexgear.api.index import Index
from lexgear.api.shard_actors import PATIENCE, ShardActors
from lexgear.engine.base import ActorType, Engine
from lexgear.engine.shared_files import check_seen
from lexgear.errors import ErrorCode, InputError
from lexgear.index.manifest import manifest_sha256
from lexgear.index.shards import shard_directories
from lexgear.index.store import StoredIndex
from lexgear.rankers.lexgear.coordinator import Coordinator
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.shard import LexgearShard


def open_on(engine: Engine, directory: str | Path, replicas: int = 1, patience: float = PATIENCE) -> Index:
    """Open a sharded index whose documents are scored by actors of an engine; raise `InputError` for other indexes.

    All machines must see the directory under the same path. This process maps the files of all shards, but reads only
    their statistics, ids and the documents that are shown. A search waits for a shard that is being started again as
    many seconds as `patience` says.
    """
    directory = Path(directory).absolute()
    shards = shard_directories(directory)
    if not shards:
        raise InputError(
            "the index is not sharded",
            code=ErrorCode.INVALID_ARGUMENT,
            file=directory,
            remedy="divide it into shards first",
        )
    index = Index.load(directory)
    if not isinstance(index.ranker, Lexgear):
        raise InputError(
            f"an index of {index.ranker.name} cannot be searched on a cluster",
            code=ErrorCode.INVALID_ARGUMENT,
            file=directory,
            remedy="use an index of the ranker lexgear, or search it on one machine",
        )
    stored = [StoredIndex(shard) for shard in shards]
    sizes = [int(one.catalogue.offsets[-1]) for one in stored]
    kinds = [ActorType(open_shard, (str(one.directory), manifest_sha256(one.manifest))) for one in stored]
    for one in stored:
        one.catalogue.close()
    rows = [[engine.actor(kind, shard + replica) for replica in range(replicas)] for shard, kind in enumerate(kinds)]
    placed = ShardActors(rows, patience)
    placed.open()
    index.ranker.shards = Coordinator(index.ranker, sizes, placed)
    return index


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
