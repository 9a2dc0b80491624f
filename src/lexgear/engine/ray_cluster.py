"""The engine of a Ray cluster: tasks and actors on all machines of the cluster. No other module imports ray.

Ray gives a task to another worker if its worker or machine dies, and starts an actor again on a machine that remains.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from lexgear.engine.base import MAX_ATTEMPTS, ActorType, Engine, WorkerLostError
from lexgear.errors import ErrorCode, InputError

T = TypeVar("T")
R = TypeVar("R")
LOCAL = "local"
"""Address for a cluster of this machine alone, which is started and ended with the engine."""
LOCAL_STORE_BYTES = 200_000_000
"""Size of the object store of such a cluster: partitions and results are small, indexes are read from disk."""

CONNECTING_SECONDS = 10.0
"""Seconds that the head node may take to accept a connection."""
ACTOR_MEMORY = 1_000_000
"""Bytes that an actor asks for. Actors need no CPU of their own, so that those of a machine that dies fit on the
others; but Ray places actors that ask for nothing at random and ignores the machine that was chosen."""


class RayEngine(Engine):
    """Works on a Ray cluster.

    All machines need the same versions of Python, Ray and lexgear and see files under the same paths.
    """

    def __init__(self, address: str) -> None:
        self._ray = ray = _ray()
        _connect(ray, address)
        self.workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._run = ray.remote(max_retries=MAX_ATTEMPTS - 1, scheduling_strategy="SPREAD")(_run)
        self._host = ray.remote(_Host)
        self._actors: list[RayActor] = []

    def submit(self, function: Callable[[T], R], partition: T) -> Future[R]:
        """Start work on one partition somewhere in the cluster."""
        return self._future(self._run.remote(function, partition))

    def share(self, function: Callable[[T], R]) -> Any:
        """Put a function into the object store; Ray passes it to tasks that get the reference."""
        return self._ray.put(function)

    def actor(self, kind: ActorType, place: int = 0) -> RayActor:
        """Place an actor on the machine of that number, and elsewhere once this machine has died.

        Calls are not repeated by Ray: the caller learns at once that an actor has died and can ask another one.
        """
        options = {"max_restarts": -1, "max_task_retries": 0, "num_cpus": 0, "memory": ACTOR_MEMORY}
        nodes = sorted(node["NodeID"] for node in self._ray.nodes() if node["Alive"])
        strategy = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
            nodes[place % len(nodes)], soft=True
        )
        actor = RayActor(self, self._host.options(scheduling_strategy=strategy, **options).remote(kind))
        self._actors.append(actor)
        return actor

    def close(self) -> None:
        """End the actors, and leave the cluster or end it if it was started here."""
        for actor in self._actors:
            actor.close()
        self._actors.clear()
        self._ray.shutdown()

    def _future(self, reference: Any) -> Future[Any]:
        """Return a future that raises what the function raised, or `WorkerLostError` if its worker died."""
        translated: Future[Any] = Future()
        errors = self._ray.exceptions

        def finish(done: Future[Any]) -> None:
            if not translated.set_running_or_notify_cancel():
                return
            error = done.exception()
            if isinstance(error, errors.RayTaskError):
                error = getattr(error, "cause", error)
            elif isinstance(error, errors.RayError):
                error = WorkerLostError(str(error).split("\n", 1)[0])
            if error is not None:
                translated.set_exception(error)
            else:
                translated.set_result(done.result())

        reference.future().add_done_callback(finish)
        return translated


class RayActor:
    """An object on some machine of the cluster."""

    def __init__(self, engine: RayEngine, handle: Any) -> None:
        self._engine, self.handle = engine, handle

    def call(self, method: str, *arguments: Any) -> Future[Any]:
        """Call a method."""
        return self._engine._future(self.handle.call.remote(method, arguments))

    def close(self) -> None:
        """End the actor for good."""
        self._engine._ray.kill(self.handle)


class _Host:
    """Holds the object of an actor, which is made when it is first called so that failures reach the caller."""

    def __init__(self, kind: ActorType) -> None:
        self._kind = kind
        self._object: object | None = None

    def call(self, method: str, arguments: tuple[Any, ...]) -> Any:
        if self._object is None:
            self._object = self._kind.make(*self._kind.arguments)
        return getattr(self._object, method)(*arguments)


def _run(function: Callable[[T], R], partition: T) -> R:
    return function(partition)


def _connect(ray: Any, address: str) -> None:
    quiet = {"include_dashboard": False, "num_cpus": os.cpu_count(), "object_store_memory": LOCAL_STORE_BYTES}
    where = quiet if address == LOCAL else {"address": address}
    try:
        _check_reachable(address)
        ray.init(log_to_driver=False, logging_level="ERROR", **where)
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(
            f"no Ray cluster at {address!r}: {str(error).splitlines()[0]}",
            code=ErrorCode.CLUSTER_UNREACHABLE,
            remedy=f"start one and give the address of its head node, or use {LOCAL!r}",
            address=address,
        ) from error


def _check_reachable(address: str) -> None:
    """Raise `OSError` if nobody listens at an address with a port: Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.rpartition("//")[2].strip("[]"), int(port)), CONNECTING_SECONDS).close()


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing about a court's machines leaves them
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError as error:
        raise InputError(
            "a cluster needs ray",
            code=ErrorCode.MISSING_DEPENDENCY,
            remedy="pip install 'lexgear[cluster]'",
            package="ray",
        ) from error
    return ray
