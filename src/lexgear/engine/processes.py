"""The engine of local processes.

What goes to a process is packed here. `multiprocessing` itself would move the tensors of a model into shared memory,
under the feet of those who use them, and containers have only 64 MB of it.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import Any, TypeVar

from lexgear.engine.base import ActorType, Engine, WorkerLostError

T = TypeVar("T")
R = TypeVar("R")
_CONTEXT = multiprocessing.get_context("spawn")
"""New interpreters: copies of a process with threads (torch, OpenMP) may hang."""


class ProcessEngine(Engine):
    """Works in a fixed number of processes, which are started again if one of them dies."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool = self._new_pool()
        self._actors: list[ProcessActor] = []

    def submit(self, function: Callable[[T], R], partition: T) -> Future[R]:
        """Start work on one partition in one of the processes."""
        packed = function if isinstance(function, _Packed) else _Packed(function)
        try:
            return _translated(self._pool.submit(packed, pickle.dumps(partition)))
        except BrokenProcessPool:
            self._pool.shutdown(wait=False)
            self._pool = self._new_pool()
            return _translated(self._pool.submit(packed, pickle.dumps(partition)))

    def share(self, function: Callable[[T], R]) -> Any:
        """Pack a function once for all partitions."""
        return _Packed(function)

    def actor(self, kind: ActorType, place: int = 0) -> ProcessActor:
        """Place an actor in a process of its own."""
        actor = ProcessActor(kind)
        self._actors.append(actor)
        return actor

    def close(self) -> None:
        """End all processes."""
        self._pool.shutdown(cancel_futures=True)
        for actor in self._actors:
            actor.close()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.workers, mp_context=_CONTEXT, initializer=_end_with_parent)


class ProcessActor:
    """An object in a process of its own, made again if that process dies."""

    def __init__(self, kind: ActorType) -> None:
        self._kind = pickle.dumps(kind)
        self._pool = self._new_pool()

    def call(self, method: str, *arguments: Any) -> Future[Any]:
        """Call a method."""
        packed = pickle.dumps(arguments)
        try:
            return _translated(self._pool.submit(_call, method, packed))
        except BrokenProcessPool:
            self._pool.shutdown(wait=False)
            self._pool = self._new_pool()
            return _translated(self._pool.submit(_call, method, packed))

    def close(self) -> None:
        """End the process."""
        self._pool.shutdown(cancel_futures=True)

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, mp_context=_CONTEXT, initializer=_keep, initargs=(self._kind,))


_OBJECT: list[bytes | object] = []
"""The object of an actor in its process, or its packed recipe until it is first called."""


class _Packed:
    """A function that gets a packed partition, in another process."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.bytes = pickle.dumps(function)

    def __call__(self, partition: bytes) -> Any:
        return pickle.loads(self.bytes)(pickle.loads(partition))


def _keep(kind: bytes) -> None:
    _end_with_parent()
    _OBJECT[:] = [kind]


def _end_with_parent() -> None:
    """End this process when its parent ends, however that happens: a parent that is killed cannot end its pool."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


def _call(method: str, packed: bytes) -> Any:
    [found] = _OBJECT
    if isinstance(found, bytes):  # made here, so that the caller gets the exception if that fails
        kind: ActorType = pickle.loads(found)
        found = _OBJECT[0] = kind.make(*kind.arguments)
    return getattr(found, method)(*pickle.loads(packed))


def _translated(future: Future[R]) -> Future[R]:
    """Return a future that raises `WorkerLostError` if a process died."""
    translated: Future[R] = Future()

    def finish(done: Future[R]) -> None:
        if done.cancelled() or not translated.set_running_or_notify_cancel():
            translated.cancel()
            return
        error = done.exception()
        if isinstance(error, BrokenProcessPool):
            translated.set_exception(WorkerLostError("a process died"))
        elif error is not None:
            translated.set_exception(error)
        else:
            translated.set_result(done.result())

    future.add_done_callback(finish)
    return translated
