"""The interface of engines: map a function over partitions, and place actors that hold a part of the data.

Partitions are chosen by the caller and results come in the order of the partitions, so that nothing depends on the
number of workers. A partition whose worker dies is given to another one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

T = TypeVar("T")
R = TypeVar("R")
MAX_ATTEMPTS = 4
"""Times that a partition is given to a worker before its failure is reported."""


class WorkerLostError(RuntimeError):
    """The process or machine of a worker or an actor died; the same call may succeed later."""


class Actor(Protocol):
    """An object in another process, made again if that process dies."""

    def call(self, method: str, *arguments: Any) -> Future[Any]:
        """Call a method; the future raises `WorkerLostError` if the actor dies before it answers."""

    def close(self) -> None:
        """End the actor."""


@dataclass(frozen=True)
class ActorType:
    """Recipe of an actor: a function that makes the object, and its arguments. Both must be importable elsewhere."""

    make: Callable[..., object]
    arguments: tuple[Any, ...] = ()


class Engine(ABC):
    """Abstract base of engines; close it, or use it as a context manager."""

    workers: int
    """Number of partitions that are worked on at the same time."""

    @abstractmethod
    def submit(self, function: Callable[[T], R], partition: T) -> Future[R]:
        """Start work on one partition; the future raises `WorkerLostError` if the worker dies."""

    @abstractmethod
    def actor(self, kind: ActorType, place: int = 0) -> Actor:
        """Place an actor; actors with consecutive places are on different machines, if there are several."""

    @abstractmethod
    def close(self) -> None:
        """End all workers and actors."""

    def share(self, function: Callable[[T], R]) -> Callable[[T], R]:
        """Return a function for `submit` that workers get once, not with every partition: it may hold a model."""
        return function

    def map(self, function: Callable[[T], R], partitions: Iterable[T]) -> Iterator[R]:
        """Yield the result of each partition, in order; only a few partitions are read ahead.

        If reading the partitions fails, the results of those before come first.
        """
        pending: deque[tuple[T, Future[R]]] = deque()
        failure: Exception | None = None
        function = self.share(function)
        inputs = iter(partitions)
        try:
            while True:
                while failure is None and len(pending) < 2 * self.workers:
                    try:
                        partition = next(inputs)
                    except StopIteration:
                        break
                    except Exception as error:
                        failure = error
                        break
                    pending.append((partition, self.submit(function, partition)))
                if not pending:
                    break
                yield self._result(function, *pending.popleft())
        finally:
            for _, future in pending:
                future.cancel()
        if failure is not None:
            raise failure

    def reduce(self, function: Callable[[T], R], partitions: Iterable[T], add: Callable[[R, R], R]) -> R:
        """Return the sum of the results over all partitions, added from the first to the last."""
        results = self.map(function, partitions)
        total = next(results)
        for one in results:
            total = add(total, one)
        return total

    def _result(self, function: Callable[[T], R], partition: T, future: Future[R]) -> R:
        for _ in range(MAX_ATTEMPTS - 1):
            try:
                return future.result()
            except WorkerLostError:
                future = self.submit(function, partition)
        return future.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def call_all(actors: Sequence[Actor], method: str, *arguments: Any) -> list[Future[Any]]:
    """Call a method of several actors at the same time."""
    return [actor.call(method, *arguments) for actor in actors]
