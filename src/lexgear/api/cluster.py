"""A sharded index on an engine: one actor per shard and replica, and the index that searches them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lexgear.api.index import Index
from lexgear.engine.base import Actor, ActorType, Engine, WorkerLostError
from lexgear.engine.opening import open_engine
from lexgear.errors import ErrorCode, InputError
from lexgear.index.manifest import manifest_sha256
from lexgear.index.shards import shard_directories
from lexgear.index.store import StoredIndex
from lexgear.rankers.lexgear.coordinator import Coordinator
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.shard import LexgearShard

TIMEOUT = 120.0
"""Seconds that a shard may take to answer, including the time to start it again on another machine."""
OPENING_TIMEOUT = 1800.0
"""Seconds that the first start of a shard may take."""
ATTEMPTS = 60
"""Times that a call is made to the replicas of a shard, in turn, before the shard is missing."""
PAUSE = 1.0
"""Seconds to wait after all replicas of a shard have died: Ray needs some to start an actor on another machine."""


@contextmanager
def opener(cluster: str | None = None, replicas: int = 1) -> Iterator[Callable[[Path], Index]]:
    """Yield a function that opens indexes: in this process or, if an address is given, on a Ray cluster."""
    if cluster is None:
        yield Index.load
        return
    with open_engine(cluster) as engine:
        yield lambda directory: open_on(engine, directory, replicas)


@contextmanager
def opened(directory: Path, cluster: str | None = None) -> Iterator[Index]:
    """Open an index during a block, in this process or on a Ray cluster."""
    with opener(cluster) as open_index:
        yield open_index(directory)


def open_on(engine: Engine, directory: str | Path, replicas: int = 1) -> Index:
    """Open a sharded index whose documents are scored by actors of an engine; raise `InputError` for other indexes.

    All machines must see the directory under the same path. This process maps the files of all shards, but reads only
    their statistics, ids and the documents that are shown.
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
    placed = ShardActors([[engine.actor(kind) for _ in range(replicas)] for kind in kinds])
    placed.open()
    index.ranker.shards = Coordinator(index.ranker, sizes, placed)
    return index


def open_shard(directory: str, expected: str) -> LexgearShard:
    """Open one shard, in the process of its actor; `expected` is the checksum of its manifest."""
    index = Index.load(directory)
    if manifest_sha256(index.stored.manifest) != expected:
        raise InputError(
            "the shard has changed since the index was opened",
            code=ErrorCode.SHARD_MISSING,
            remedy="open the index again",
        )
    assert isinstance(index.ranker, Lexgear)
    return LexgearShard(index.ranker)


class ShardActors:
    """The actors of all shards, each with its replicas."""

    def __init__(self, replicas: Sequence[Sequence[Actor]], attempts: int = ATTEMPTS, pause: float = PAUSE) -> None:
        self.replicas = [list(row) for row in replicas]
        self.attempts, self.pause = attempts, pause

    def close(self) -> None:
        """End all actors."""
        for row in self.replicas:
            for actor in row:
                actor.close()

    def open(self) -> None:
        """Wait until all replicas of all shards have read their documents."""
        for future in [actor.call("sets") for row in self.replicas for actor in row]:
            future.result(OPENING_TIMEOUT)

    def call_all(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of one replica of every shard at the same time, and return the answers in order.

        A replica that dies is asked last from then on. If no replica of a shard answers, the whole search fails: a
        result without some documents would look complete.
        """
        rows = list(zip(self.replicas, arguments, strict=True))
        futures = [row[0].call(method, *own) for row, own in rows]
        return [self._answer(shard, method, rows[shard][1], future) for shard, future in enumerate(futures)]

    def _answer(self, shard: int, method: str, arguments: tuple[Any, ...], future: Future[Any]) -> Any:
        """Return the answer of a shard; ask its other replicas, or the one that is started again, if it dies."""
        row = self.replicas[shard]
        for attempt in range(1, self.attempts + 1):
            try:
                return future.result(TIMEOUT)
            except (WorkerLostError, FutureTimeoutError) as error:
                if attempt == self.attempts or isinstance(error, FutureTimeoutError):
                    raise InputError(
                        f"shard {shard} of {len(self.replicas)} does not answer",
                        code=ErrorCode.SHARD_MISSING,
                        remedy="try again when its machine is back",
                        shard=shard,
                    ) from error
            row.append(row.pop(0))
            if attempt % len(row) == 0:
                time.sleep(self.pause)
            future = row[0].call(method, *arguments)
        raise AssertionError
