"""Several processes that serve one index from one socket.

Each maps the same parts, follows changes of the index on its own and answers the requests it accepts. A process that
dies is started again. All of them end with the process that started them.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from lexgear.serve.settings import ServeSettings

LOG = logging.getLogger("lexgear.serve")
METRICS = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable with the directory where prometheus_client keeps the numbers of all processes."""
RESTART_SECONDS = 1.0
"""Time until a process that died is started again, so that one that fails at once does not use up the CPU."""
_CONTEXT = multiprocessing.get_context("spawn")
"""New interpreters: copies of a process with threads (torch, OpenMP) may hang."""


class _Worker:
    """A process that serves the index."""

    def __init__(self, index: Path, sock: socket.socket, settings: ServeSettings, metrics: str) -> None:
        self._ready, sender = _CONTEXT.Pipe(duplex=False)
        self.process = _CONTEXT.Process(target=_work, args=(index, sock, settings, metrics, sender))
        self.process.start()
        sender.close()

    def wait_until_ready(self, stop: Connection) -> None:
        """Return when the process has loaded the index or the service stops; raise the error of the process."""
        if self._ready not in wait([self._ready, stop]):
            return
        try:
            error = self._ready.recv()
        except EOFError:
            self.process.join()
            error = RuntimeError(f"a process of the service ended with exit code {self.process.exitcode}")
        if error is not None:
            raise error

    def why_ended(self) -> str:
        """Return why the process ended."""
        try:
            error = self._ready.recv() if self._ready.poll() else None
        except EOFError:  # the process was ready, and the message was read
            error = None
        return str(error or f"exit code {self.process.exitcode}")


def serve_by_workers(
    index: Path, sock: socket.socket, settings: ServeSettings, count: int, started: Callable[[], None]
) -> None:
    """Serve an index by several processes until this one is interrupted; `started` is called once all are ready."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(message)s")
    with TemporaryDirectory(prefix="lexgear-metrics-") as metrics, _stopped_by_signals() as stop:
        workers = [_Worker(index, sock, settings, metrics) for _ in range(count)]
        try:
            for worker in workers:
                worker.wait_until_ready(stop)
            if not stop.poll():
                started()
            while stop not in wait([stop, *(worker.process.sentinel for worker in workers)]):
                if stop.poll(RESTART_SECONDS):
                    break
                for place, worker in enumerate(workers):
                    if not worker.process.is_alive():
                        LOG.warning("a process ended (%s); another takes its place", worker.why_ended())
                        _forget(worker.process.pid, metrics)
                        workers[place] = _Worker(index, sock, settings, metrics)
        finally:
            for worker in workers:
                worker.process.terminate()  # it finishes its requests
            for worker in workers:
                worker.process.join()


@contextmanager
def _stopped_by_signals() -> Iterator[Connection]:
    """Yield a connection that becomes readable at Ctrl-C or SIGTERM; after the block, SIGTERM ends the process.

    An exception in the middle of starting a process could leave that process behind.
    """
    received: list[int] = []
    stop, sender = _CONTEXT.Pipe(duplex=False)

    def note(number: int, frame: FrameType | None) -> None:
        received.append(number)
        sender.send(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if signal.SIGTERM in received:
            signal.raise_signal(signal.SIGTERM)
        elif received:
            print("Stopped.", file=sys.stderr)


def _forget(process: int | None, metrics: str) -> None:
    """Leave the queue of a dead process out of the metrics; its requests still count."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(process, metrics)  # type: ignore[no-untyped-call]


def _work(index: Path, sock: socket.socket, settings: ServeSettings, metrics: str, ready: Connection) -> None:
    """Serve the index in this process."""
    os.environ[METRICS] = metrics  # prometheus_client reads it when it is imported
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one ends the others
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from lexgear.serve.app import create_app
    from lexgear.serve.server import serve

    try:
        app = create_app(index, settings)
    except Exception as error:
        ready.send(error)
        return
    ready.send(None)
    ready.close()
    serve(app, sock, settings)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
