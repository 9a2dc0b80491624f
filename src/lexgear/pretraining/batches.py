"""What every step of a run looks at: drawn from the seed and the step alone, one step ahead of the model."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from lexgear.pretraining.crew import Crew
from lexgear.pretraining.order import epoch_batches
from lexgear.pretraining.prepared import Prepared
from lexgear.pretraining.settings import PretrainSettings
from lexgear.pretraining.step import Draw
from lexgear.pretraining.tasks import tasks_of


@dataclass(frozen=True, slots=True)
class Batch:
    """A draw, what each task takes of it, and the seed of all that is random in the model."""

    draw: Draw
    tasks: list[tuple[Any, float, Any]]
    """Task, weight, what it has drawn."""
    seed: int


class Batches:
    """Batches by step. While the model learns from one, a thread draws the next."""

    def __init__(self, prepared: Prepared, settings: PretrainSettings, crew: Crew) -> None:
        self._prepared, self._settings, self._crew = prepared, settings, crew
        self._tasks = tasks_of(settings)
        self._an_epoch = max(prepared.learnt // min(settings.batch, prepared.learnt), 1)
        self._epoch, self._cases = -1, np.empty((0, 0), dtype=np.int64)
        self._thread = ThreadPoolExecutor(1)
        self._ahead: tuple[int, Future[Batch]] | None = None

    def __enter__(self) -> Batches:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()

    def at(self, step: int) -> Batch:
        """What a step looks at."""
        ready = self._ahead[1] if self._ahead and self._ahead[0] == step else self._thread.submit(self._drawn, step)
        batch = ready.result()
        self._ahead = (step + 1, self._thread.submit(self._drawn, step + 1))
        return batch

    def _drawn(self, step: int) -> Batch:
        settings, chance = self._settings, np.random.default_rng([self._settings.seed, step, self._crew.rank])
        draw = Draw(self._prepared, self._crew.share(self._cases_of(step)), settings.tokens, chance)
        taken = [(task, weight, task.drawn(draw)) for task, weight in self._tasks]
        return Batch(draw, [one for one in taken if one[2] is not None], int(chance.integers(2**62)))

    def _cases_of(self, step: int) -> Any:
        epoch, place = divmod(step, self._an_epoch)
        if epoch != self._epoch:
            settings, chance = self._settings, np.random.default_rng([self._settings.seed, epoch])
            self._epoch = epoch
            self._cases = epoch_batches(self._prepared, settings.batch, settings.group, settings.tokens, chance)
        return self._cases[place]
