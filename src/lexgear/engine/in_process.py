"""The engine without other processes: partitions are worked on one after another, actors are plain objects."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from lexgear.engine.base import ActorType, Engine

T = TypeVar("T")
R = TypeVar("R")


def _done(function: Callable[..., R], *arguments: Any) -> Future[R]:
    """Return the future of a call that is made at once."""
    future: Future[R] = Future()
    try:
        future.set_result(function(*arguments))
    except Exception as error:
        future.set_exception(error)
    return future


class LocalObject:
    """An actor in this process."""

    def __init__(self, kind: ActorType) -> None:
        self.object = kind.make(*kind.arguments)

    def call(self, method: str, *arguments: Any) -> Future[Any]:
        """Call a method at once."""
        return _done(getattr(self.object, method), *arguments)

    def close(self) -> None:
        """Do nothing."""


class InProcessEngine(Engine):
    """Does all work when it is submitted."""

    workers = 1

    def submit(self, function: Callable[[T], R], partition: T) -> Future[R]:
        """Work on one partition."""
        return _done(function, partition)

    def actor(self, kind: ActorType, place: int = 0) -> LocalObject:
        """Make the object."""
        return LocalObject(kind)

    def close(self) -> None:
        """Do nothing."""
