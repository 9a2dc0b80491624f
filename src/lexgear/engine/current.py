"""The engine that works for the code of a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from lexgear.engine.base import Engine
from lexgear.engine.in_process import InProcessEngine

_ENGINE: ContextVar[Engine | None] = ContextVar("engine", default=None)


@contextmanager
def working_on(engine: Engine) -> Iterator[None]:
    """Let an engine read documents and compute gradients within the block."""
    token = _ENGINE.set(engine)
    try:
        yield
    finally:
        _ENGINE.reset(token)


def current_engine() -> Engine | None:
    """Return the engine of the innermost block; None without one, or if it has no other processes."""
    engine = _ENGINE.get()
    return None if type(engine) is InProcessEngine else engine
