"""Choice of an engine."""

from __future__ import annotations

import os

from lexgear.engine.base import Engine
from lexgear.engine.in_process import InProcessEngine
from lexgear.engine.processes import ProcessEngine
from lexgear.errors import ErrorCode, InputError


def open_engine(cluster: str | None = None, workers: int = 1) -> Engine:
    """Return the engine of a Ray cluster, of several local processes, or of this process.

    `cluster` is the address of a Ray cluster, or `local` to start one on this machine; 0 `workers` are one per CPU.
    """
    if cluster is not None:
        from lexgear.engine.ray_cluster import RayEngine

        return RayEngine(cluster)
    if workers < 0:
        raise InputError(
            f"{workers} workers", code=ErrorCode.INVALID_ARGUMENT, remedy="give their number, or 0 for one per CPU"
        )
    workers = workers or len(os.sched_getaffinity(0))
    return InProcessEngine() if workers == 1 else ProcessEngine(workers)
