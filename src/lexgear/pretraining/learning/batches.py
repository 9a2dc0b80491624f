"""What every step of a run looks at: drawn from the seed and the step alone, by processes that work ahead."""

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
"""BatchSampler takes a core a tenth of what a GPU needs for a step: eight are enough on any machine."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The facts of a step, what each task has drawn, and the seed of all that is random in the model."""

    facts: Windows
    task_inputs: dict[str, Any]
    """By task; without those that have nothing to learn."""
    seed: int


class BatchSampler:
    """BatchLoader by step, the same whoever asks."""

    def __init__(self, prepared: Prepared, settings: PretrainSettings, group: ProcessGroup) -> None:
        self._prepared, self._settings, self._group = prepared, settings, group
        self._tasks = tasks_of(settings)
        self._an_epoch = epoch_size(prepared, settings)
        self._epoch, self._cases = -1, np.empty((0, 0), dtype=np.int64)

    def at(self, step: int) -> Batch:
        """What a step looks at."""
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
    """BatchLoader in the order of their steps. With workers each draws every n-th and waits until it is asked for.

    Helpers are forked, before a GPU is touched; a helper whose pipe is closed ends, whatever became of group.
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
        """What the next step looks at."""
        step, self._next = self._next, self._next + 1
        if not self._pipes:
            return self._sampler.at(step)
        turn = self._pipes.pop(0)
        self._pipes.append(turn)
        batch: Batch = turn.recv()
        return batch


def worker_count(device: str, group: ProcessGroup) -> int:
    """How many processes draw for one that learns: none where the model needs the cores itself."""
    return max(min((os.cpu_count() or 1) // group.world_size - 2, MAX_WORKERS), 0) if device == "cuda" else 0


def _prefetch(sampler: BatchSampler, first: int, apart: int, pipe: Connection, others: list[Connection]) -> None:
    """Draws and sends until nobody listens. It is the learner that heeds signals."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    for other in others:  # else our own copy of the listening end would keep the pipe open
        other.close()
    step = first
    try:
        while True:
            pipe.send(sampler.at(step))
            step += apart
    except BrokenPipeError:
        os._exit(0)
