"""The training loop: batches in a seeded order, validation, early stopping, checkpoints that resume exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lexgear.errors import InputError
from lexgear.progress import Progress, silent
from lexgear.training.checkpoint import Checkpoint

Row = dict[str, float]


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """How long and how fast to learn."""

    epochs: int = 10
    batch: int = 32
    """Examples a batch."""
    rate: float = 1e-3
    """Highest learning rate of Adam."""
    warm_up: float = 0.1
    """Share of the steps until that rate is reached; then it falls to zero along a cosine."""
    clip: float = 1.0
    """Longest gradient."""
    accumulate: int = 1
    """Batches a step of the optimiser."""
    patience: int = 0
    """Epochs without a better validation value before training stops; 0 never stops early."""
    seed: int = 0


class Objective(Protocol):
    """What is learnt: the losses of a batch by name; their sum is minimised."""

    def losses(self, batch: NDArray[np.int64], chance: np.random.Generator) -> Mapping[str, Tensor]:
        """The weighted losses of some examples."""


@dataclass
class Loop:
    """Trains a model; keeps the weights of the best validation value, or the last ones where there is none."""

    model: nn.Module
    objective: Objective
    examples: int
    settings: LoopSettings
    validate: Callable[[], float] | None = None
    """Higher is better; called after every epoch."""
    directory: Path | None = None
    """Where the checkpoint goes; a run that stopped there is resumed."""
    log: list[Row] = field(default_factory=list)
    """One row an epoch: the mean of each loss, the validation value."""

    def run(self, progress: Progress = silent) -> list[Row]:
        """Trains to the end and returns the log."""
        with _repeatable(next(self.model.parameters()).device.type):
            return self._run(progress)

    def _run(self, progress: Progress) -> list[Row]:
        torch.manual_seed(self.settings.seed)
        batches = math.ceil(self.examples / self.settings.batch)
        steps = max(1, math.ceil(batches / self.settings.accumulate) * self.settings.epochs)
        optimiser = torch.optim.Adam(self.model.parameters(), lr=self.settings.rate)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: self._pace(step / steps))
        kept = Checkpoint(self.model, optimiser, schedule, self.directory)
        self.log = kept.resume()
        for epoch in range(len(self.log), self.settings.epochs):
            if self._waited() >= (self.settings.patience or math.inf):
                break
            row = self._epoch(epoch, optimiser, schedule, progress)
            if self.validate is not None:
                self.model.eval()
                row["validation"] = self.validate()
            self.log.append(row)
            kept.write(self.log, best=self._waited() == 0)
        kept.take_best()
        self.model.eval()
        return self.log

    def _epoch(self, epoch: int, optimiser: Any, schedule: Any, progress: Progress) -> Row:
        """One pass over the examples, in an order of its own seed."""
        chance = np.random.default_rng([self.settings.seed, epoch])
        order = np.array_split(chance.permutation(self.examples), math.ceil(self.examples / self.settings.batch))
        sums: Row = {}
        self.model.train()
        for number, batch in enumerate(order, start=1):
            with self._precision():
                losses = self.objective.losses(batch, chance)
            total = torch.stack([loss.float() for loss in losses.values()]).sum()
            if not torch.isfinite(total):
                where = ", ".join(f"{name} {loss.item():.4g}" for name, loss in losses.items())
                raise InputError(
                    f"training broke at epoch {epoch}, batch {number} (examples {batch.tolist()}): {where}"
                )
            (total / self.settings.accumulate).backward()  # type: ignore[no-untyped-call]
            if number % self.settings.accumulate == 0 or number == len(order):
                nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
                optimiser.step()
                schedule.step()
                optimiser.zero_grad()
            for name, loss in losses.items():
                sums[name] = sums.get(name, 0.0) + loss.item() / len(order)
            progress(epoch * len(order) + number, self.settings.epochs * len(order))
        return sums

    def _pace(self, done: float) -> float:
        """The share of the highest rate, by the share of the steps done."""
        if done < self.settings.warm_up:
            return (done + 1e-3) / (self.settings.warm_up + 1e-3)
        rest = (done - self.settings.warm_up) / max(1 - self.settings.warm_up, 1e-9)
        return 0.5 * (1 + math.cos(math.pi * min(rest, 1.0)))

    def _waited(self) -> int:
        """Epochs since the best validation value; 0 where nothing is validated."""
        values = [row["validation"] for row in self.log if "validation" in row]
        return len(values) - 1 - int(np.argmax(values)) if values else 0

    def _precision(self) -> Any:
        """bfloat16 where a GPU does the work."""
        kind = next(self.model.parameters()).device.type
        return torch.autocast(kind, dtype=torch.bfloat16) if kind == "cuda" else nullcontext()


@contextmanager
def _repeatable(device: str) -> Iterator[None]:
    """The same sums in the same order on the CPU, so that the same command gives the same weights."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(before or device == "cpu")
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)
