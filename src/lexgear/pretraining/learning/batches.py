"""Batches of a pretraining run, determined by seed and step alone and prefetched by worker processes."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from lexgear.pretraining.data.batch_order import epoch_batches, epoch_size
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.data.token_streams import Windows
from lexgear.pretraining.learning.distributed import ProcessGroup
from lexgear.pretraining.learning.step import CaseSample
from lexgear.pretraining.learning.tasks import tasks_of
from lexgear.pretraining.settings import PretrainSettings

MAX_WORKERS = 8
"""Worker processes at most. Sampling a batch takes one core a tenth of a GPU step."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Facts of a step, the inputs of each task, and the seed of the model's random numbers."""

    facts: Windows
    task_inputs: dict[str, Any]
    """Inputs by task, without tasks that have nothing to learn in this step."""
    seed: int


class BatchSampler:
    """Deterministic sampler of batches by step."""

    def __init__(self, prepared: Prepared, settings: PretrainSettings, group: ProcessGroup) -> None:
        self._prepared, self._settings, self._group = prepared, settings, group
        self._tasks = tasks_of(settings)
        self._an_epoch = epoch_size(prepared, settings)
        self._epoch, self._cases = -1, np.empty((0, 0), dtype=np.int64)

    def at(self, step: int) -> Batch:
        """Return the batch of a step."""
        settings, rng = self._settings, np.random.default_rng([self._settings.seed, step, self._group.rank])
        draw = CaseSample(self._prepared, self._group.shard(self._cases_of(step)), settings.max_length, rng)
        drawn = {task.name: task.sample(draw) for task, _ in self._tasks}
        found = {name: one for name, one in drawn.items() if one is not None}
        return Batch(draw.facts, found, int(rng.integers(2**62)))

    def _cases_of(self, step: int) -> Any:
        epoch, place = divmod(step, self._an_epoch)
        if epoch != self._epoch:
            rng = np.random.default_rng([self._settings.seed, epoch])
            self._epoch, self._cases = epoch, epoch_batches(self._prepared, self._settings, rng)
        return self._cases[place]


class BatchLoader:
    """Batches in the order of their steps; with n workers each samples every n-th batch ahead.

    Workers are forked before a GPU is used. A worker exits when its pipe is closed.
    """

    def __init__(self, sampler: BatchSampler, first: int, workers: int) -> None:
        self._sampler, self._next = sampler, first
        self._pipes: list[Connection] = []
        self._processes = []
        fork = get_context("fork") if workers else get_context()
        for worker in range(workers):
            ours, theirs = fork.Pipe(duplex=False)
            others = [*self._pipes, ours]
            process = fork.Process(target=_prefetch, args=(sampler, first + worker, workers, theirs, others))
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def __enter__(self) -> BatchLoader:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join()

    def take(self) -> Batch:
        """Return the next batch."""
        step, self._next = self._next, self._next + 1
        if not self._pipes:
            return self._sampler.at(step)
        turn = self._pipes.pop(0)
        self._pipes.append(turn)
        batch: Batch = turn.recv()
        return batch


def worker_count(device: str, group: ProcessGroup) -> int:
    """Return the number of workers for this process: 0 without a GPU, where the model needs the cores."""
    return max(min((os.cpu_count() or 1) // group.world_size - 2, MAX_WORKERS), 0) if device == "cuda" else 0


def _prefetch(sampler: BatchSampler, first: int, apart: int, pipe: Connection, others: list[Connection]) -> None:
    """Sample and send batches until the pipe is closed; signals are left to the training process."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    for other in others:  # otherwise this process's copy of the receiving end would keep the pipe open
        other.close()
    step = first
    try:
        while True:
            pipe.send(sampler.at(step))
            step += apart
    except BrokenPipeError:
        os._exit(0)
