"""Engines and indexes on a cluster, opened with a progress bar: starting a cluster takes about ten seconds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import progress_bar

if TYPE_CHECKING:
    from lexgear.api import Index
    from lexgear.engine.base import Engine


def check_workers(workers: int, cluster: str | None) -> None:
    """Raise an InputError if a command is to run in several processes and on a cluster."""
    if workers != 1 and cluster is not None:
        raise InputError(
            "several workers on a cluster",
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="give either --workers or --cluster",
        )


@contextmanager
def opened_engine(cluster: str | None, workers: int = 1) -> Iterator[Engine]:
    """Open an engine during a block."""
    from lexgear.engine.opening import open_engine

    with ExitStack() as stack:
        if cluster is None:
            yield stack.enter_context(open_engine(workers=workers))
            return
        with progress_bar("Connecting to the cluster") as progress:
            engine = stack.enter_context(open_engine(cluster))
            progress(1, 1)
        yield engine


@contextmanager
def opened_index(directory: Path, cluster: str | None) -> Iterator[Index]:
    """Open an index during a block, in this process or on a Ray cluster."""
    from lexgear.api import Index
    from lexgear.api.cluster import open_on

    if cluster is None:
        yield Index.load(directory)
        return
    with opened_engine(cluster) as engine:
        with progress_bar("Opening the shards") as progress:
            index = open_on(engine, directory)
            progress(1, 1)
        yield index
