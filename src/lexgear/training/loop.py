"""Training loop with seeded batch order, validation, early stopping and checkpoints that resume exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from lexgear.errors import ErrorCode, InputError
from lexgear.model.device import deterministic, variable_length_attention
from lexgear.progress import Progress, silent
from lexgear.training.batch_gradients import Batch, GradientSource, Objective
from lexgear.training.checkpoint import Checkpoint
from lexgear.training.gradient_workers import gradient_source
from lexgear.training.schedule import warmup_cosine
from lexgear.training.workspace import Workspace

Row = dict[str, float]
"""One epoch of the log: `epoch`, the mean of each loss by name, `rate` (learning rate, of pretrained weights if there
are any), the optimiser `steps` and `tokens` since the start, and `validation` if the epoch was validated."""
NON_LOSS_COLUMNS = ("epoch", "rate", "steps", "tokens", "validation")
_COUNTED = ("epoch", "steps", "tokens")


class DivergedError(InputError):
    """Training diverged: a loss or a gradient is not finite."""


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """Settings of the training loop."""

    epochs: int = 10
    batch_size: int = 32
    """Examples per batch."""
    learning_rate: float = 1e-3
    """Peak learning rate of Adam."""
    new_learning_rate: float = 0.0
    """Peak learning rate of the weights outside the loop's `pretrained` modules; 0 for `learning_rate`."""
    warmup: float = 0.1
    """Share of the steps in which the learning rate rises to its peak; then it falls to zero along a cosine."""
    max_grad_norm: float = 1.0
    """Norm to which gradients are clipped."""
    gradient_accumulation: int = 1
    """Batches per optimiser step."""
    patience: int = 0
    """Epochs without a better validation value before training stops; 0 disables validation and keeps the last
    weights."""
    seed: int = 0


@dataclass
class Loop:
    """Training run of a model. With patience, the best weights on validation are kept, otherwise the last ones."""

    model: nn.Module
    objective: Objective
    examples: int
    settings: LoopSettings
    validate: Callable[[], float] | None = None
    """Validation measure, higher is better; called after every epoch if there is patience."""
    workspace: Workspace | None = None
    """Checkpoint directory; a run that stopped there is resumed."""
    begin_epoch: Callable[[], None] | None = None
    """Called before the first batch of every epoch."""
    pretrained: Sequence[nn.Module] = ()
    """Parts of the model that a checkpoint brought; `new_learning_rate` does not apply to them."""
    log: list[Row] = field(default_factory=list)

    def run(self, progress: Progress = silent) -> list[Row]:
        """Train to the end and return the log."""
        accumulation, device = self.settings.gradient_accumulation, self._device
        with (
            deterministic(device),
            variable_length_attention(device),
            gradient_source(self.model, self.objective, accumulation, device) as gradients,
        ):
            return self._run(gradients, progress)

    def _run(self, gradients: GradientSource, progress: Progress) -> list[Row]:
        settings = self.settings
        torch.manual_seed(settings.seed)
        batches = math.ceil(self.examples / settings.batch_size)
        steps = max(1, math.ceil(batches / settings.gradient_accumulation) * settings.epochs)
        optimiser = torch.optim.Adam(self._parameter_groups(), lr=settings.learning_rate)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimiser, lambda step: warmup_cosine(step / steps, settings.warmup)
        )
        kept = Checkpoint(self.model, optimiser, schedule, self.workspace)
        self.log = kept.resume()
        self.objective.tokens = int(self.log[-1]["tokens"]) if self.log else 0
        for epoch in range(len(self.log) + 1, settings.epochs + 1):
            if epochs_since_best(self.log) >= (settings.patience or math.inf):
                break
            row = self._epoch(epoch, gradients, optimiser, schedule, progress)
            if self.validate is not None and settings.patience:
                self.model.eval()
                progress(epoch * batches, settings.epochs * batches, f"epoch {epoch}/{settings.epochs} validating")
                row["validation"] = self.validate()
            self.log.append(row)
            kept.write(self.log, best=epochs_since_best(self.log) == 0)
        kept.restore_best()
        self.model.eval()
        return self.log

    def _parameter_groups(self) -> list[dict[str, Any]]:
        """Return the weights in groups of one learning rate, the pretrained ones first."""
        parameters, rate = list(self.model.parameters()), self.settings.new_learning_rate
        if not self.pretrained or not rate:
            return [{"params": parameters}]
        brought = {id(weight) for module in self.pretrained for weight in module.parameters()}
        new = [weight for weight in parameters if id(weight) not in brought]
        return [{"params": [weight for weight in parameters if id(weight) in brought]}, {"params": new, "lr": rate}]

    def _epoch(self, epoch: int, gradients: GradientSource, optimiser: Any, schedule: Any, progress: Progress) -> Row:
        """Train on all examples once, in an order that depends on the seed and the epoch."""
        settings = self.settings
        rng = np.random.default_rng([settings.seed, epoch - 1])
        order = np.array_split(rng.permutation(self.examples), math.ceil(self.examples / settings.batch_size))
        sums: Row = {}
        rate = math.nan
        self.model.train()
        if self.begin_epoch is not None:
            self.begin_epoch()
        for first in range(0, len(order), settings.gradient_accumulation):
            batches = self._batches(epoch, first, order[first : first + settings.gradient_accumulation], rng)
            found = enumerate(gradients.add(batches), start=first + 1)
            for batch, (number, losses) in zip(batches, found, strict=True):
                step = (epoch - 1) * len(order) + number
                if not math.isfinite(losses.total):
                    raise self._diverged(f"epoch {epoch}, step {step}", batch.examples, _listed(losses.named))
                sums = {name: sums.get(name, 0.0) + value for name, value in losses.named.items()}
                means = {name: value / number for name, value in sums.items()}
                progress(step, settings.epochs * len(order), f"epoch {epoch}/{settings.epochs} {_listed(means)}")
            length = nn.utils.clip_grad_norm_(self.model.parameters(), settings.max_grad_norm)
            if not torch.isfinite(length):
                where = f"{_listed(losses.named)}, gradient {length.item():.4g}"
                raise self._diverged(f"epoch {epoch}, step {step}", batch.examples, where)
            rate = optimiser.param_groups[0]["lr"]
            optimiser.step()
            schedule.step()
            optimiser.zero_grad()
        return {"epoch": epoch, **means, "rate": rate, "steps": schedule.last_epoch, "tokens": self.objective.tokens}

    def _batches(
        self, epoch: int, first: int, examples: Sequence[NDArray[np.int64]], rng: np.random.Generator
    ) -> list[Batch]:
        """Return the batches of a step, which come after the first `first` batches of the epoch.

        Each has its own random numbers, so that several workers can read them; only steps of one batch go on with
        those of the step before.
        """
        if self.settings.gradient_accumulation == 1:
            return [Batch(examples[0], rng, 1)]
        found = []
        for number, some in enumerate(examples, start=first + 1):
            own = np.random.default_rng([self.settings.seed, epoch - 1, number])
            found.append(Batch(some, own, len(examples), seed=int(own.integers(2**63))))
        return found

    def _diverged(self, where: str, batch: NDArray[np.int64], values: str) -> DivergedError:
        kept = f"; earlier epochs are kept in {self.workspace.directory}" if self.workspace and self.log else ""
        return DivergedError(
            f"training diverged at {where} (examples {batch.tolist()}): {values}",
            code=ErrorCode.TRAINING_DIVERGED,
            remedy=f"lower learning_rate{kept}",
        )

    @property
    def _device(self) -> torch.device:
        return next(self.model.parameters()).device


def append_stage(log: Sequence[Row], later: Sequence[Row]) -> list[Row]:
    """Append the log of a later training stage, with epochs, steps and tokens counted from the end of the earlier
    stages.

    >>> append_stage([{"epoch": 1, "steps": 7, "tokens": 90}], [{"epoch": 1, "steps": 2, "tokens": 10}])[-1]
    {'epoch': 2, 'steps': 9, 'tokens': 100}
    """
    before = log[-1] if log else dict.fromkeys(_COUNTED, 0)
    return [*log, *(row | {name: before[name] + row[name] for name in _COUNTED} for row in later)]


def epochs_since_best(log: list[Row]) -> int:
    """Return the number of epochs since the best validation value; 0 without validation."""
    values = [row["validation"] for row in log if "validation" in row]
    return len(values) - 1 - int(np.argmax(values)) if values else 0


def _listed(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in values.items())
