"""Gradients of the batches of one optimiser step, each with random numbers of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.model.device import mixed_precision


class Objective(Protocol):
    """Training objective protocol: named losses of a batch, whose sum is minimised.

    With several workers, each has a copy: what changes from epoch to epoch belongs into the state of the model.
    """

    tokens: int
    """Tokens read or generated so far, without padding."""

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the weighted losses of some examples."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch of an optimiser step."""

    examples: NDArray[np.int64]
    rng: np.random.Generator
    share: int
    """Number of batches of the step: the gradient is divided by it."""
    seed: int | None = None
    """Seed of torch's random numbers; None to go on with those of the batch before."""


class BatchLosses(NamedTuple):
    """Losses of a batch by name, and their sum. The batch has no gradient if the sum is not finite."""

    named: dict[str, float]
    total: float


def add_gradient(objective: Objective, batch: Batch, device: torch.device) -> BatchLosses:
    """Add the gradient of a batch to those of the weights; return its losses."""
    if batch.seed is not None:
        torch.manual_seed(batch.seed)
    with mixed_precision(device):
        losses = objective.losses(batch.examples, batch.rng)
    total = torch.stack([loss.float() for loss in losses.values()]).sum()
    if torch.isfinite(total):
        (total / batch.share).backward()  # type: ignore[no-untyped-call]
    return BatchLosses({name: loss.item() for name, loss in losses.items()}, total.item())


class GradientSource(ABC):
    """Abstract base of what computes gradients."""

    @abstractmethod
    def add(self, batches: Sequence[Batch]) -> Iterator[BatchLosses]:
        """Add the gradients of the batches of a step to those of the weights, and yield the losses of each batch."""


class LocalGradients(GradientSource):
    """Computes the gradients of one batch after another in this process."""

    def __init__(self, objective: Objective, device: torch.device) -> None:
        self.objective, self.device = objective, device

    def add(self, batches: Sequence[Batch]) -> Iterator[BatchLosses]:
        """Compute the gradients."""
        for batch in batches:
            yield add_gradient(self.objective, batch, self.device)
