"""The actors of all shards: a search asks one replica of every shard, and others if it dies or does not answer."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from threading import Lock
from typing import Any, NoReturn

from lexgear.engine.base import Actor, WorkerLostError
from lexgear.errors import ErrorCode, InputError

PATIENCE = 120.0
"""Seconds that a search waits for a shard, which includes the time to start it again on another machine."""
OPENING_PATIENCE = 1800.0
"""Seconds that the first start of a shard may take."""
HEDGE = 5.0
"""Seconds after which the next replica is asked as well: a machine that hangs is noticed by Ray a minute later."""
PAUSE = 0.5
"""Seconds between two rounds over the replicas of a shard, all of which have died."""


class ShardActors:
    """The actors of all shards, each with its replicas.

    A shard that did not answer in time is not waited for again until it has answered: further searches ask each of its
    replicas once and fail at once if all are dead.
    """

    def __init__(
        self,
        replicas: Sequence[Sequence[Actor]],
        patience: float = PATIENCE,
        hedge: float = HEDGE,
        pause: float = PAUSE,
    ) -> None:
        self.replicas = [list(row) for row in replicas]
        self.patience, self.hedge, self.pause = patience, hedge, pause
        self._missing: set[int] = set()
        self._order = Lock()

    def close(self) -> None:
        """End all actors."""
        for row in self.replicas:
            for actor in row:
                actor.close()

    def open(self) -> None:
        """Wait until all replicas of all shards have read their documents."""
        for actor, shard in [(actor, shard) for shard, row in enumerate(self.replicas) for actor in row]:
            _Request(self, shard, [actor], "sets", ()).answer(OPENING_PATIENCE)

    def call_all(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of one replica of every shard at the same time, and return the answers in order.

        If no replica of a shard answers, the whole search fails: a result without some documents would look complete.
        """
        requests = [
            _Request(self, shard, list(row), method, own)
            for shard, (row, own) in enumerate(zip(self.replicas, arguments, strict=True))
        ]
        return [self._answer(request) for request in requests]

    def _answer(self, request: _Request) -> Any:
        missing = request.shard in self._missing
        try:
            answer = request.answer(min(self.hedge, self.patience) if missing else self.patience, once=missing)
        except InputError as error:
            if error.code == ErrorCode.SHARD_MISSING:
                self._missing.add(request.shard)
            raise
        self._missing.discard(request.shard)
        return answer

    def ask_last(self, shard: int, actor: Actor) -> None:
        """Ask the other replicas of a shard before this one from now on."""
        with self._order:
            row = self.replicas[shard]
            row.remove(actor)
            row.append(actor)


class _Request:
    """A call to one shard, made to its replicas in turn until one answers."""

    def __init__(
        self, actors: ShardActors, shard: int, row: Sequence[Actor], method: str, arguments: tuple[Any, ...]
    ) -> None:
        self.actors, self.shard = actors, shard
        self._method, self._arguments = method, arguments
        self._next, self._died = deque(row), set[Actor]()
        self._pending: dict[Future[Any], Actor] = {}
        self._ask()

    def answer(self, patience: float, *, once: bool = False) -> Any:
        """Return the first answer of a replica; raise `InputError` if there is none after some seconds.

        With `once`, replicas that die are not asked again.
        """
        end = time.monotonic() + patience
        while True:
            left = max(end - time.monotonic(), 0.0)
            done, waiting = wait(self._pending, min(self.actors.hedge, left) if self._next else left, FIRST_COMPLETED)
            for future in done:
                try:
                    return future.result()
                except WorkerLostError:
                    self._next.append(actor := self._pending.pop(future))
                    self._died.add(actor)
                    self.actors.ask_last(self.shard, actor)
            if done and waiting:
                continue
            for future in waiting:
                self.actors.ask_last(self.shard, self._pending[future])
            left = max(end - time.monotonic(), 0.0)
            again = not self._next or self._next[0] in self._died
            if again and (once or not left):
                self._give_up()
            if again:
                time.sleep(min(self.actors.pause, left))
            if self._next:
                self._ask()

    def _ask(self) -> None:
        actor = self._next.popleft()
        self._pending[actor.call(self._method, *self._arguments)] = actor

    def _give_up(self) -> NoReturn:
        raise InputError(
            f"shard {self.shard} of {len(self.actors.replicas)} does not answer",
            code=ErrorCode.SHARD_MISSING,
            remedy="try again when its machine is back",
            shard=self.shard,
        )
