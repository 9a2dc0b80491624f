"""A model and an objective with dropout and random targets, which other processes import."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


class Net(nn.Module):
    """Two layers with dropout, and one that no loss uses."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.2), nn.Tanh(), nn.Linear(8, 1))
        self.unused = nn.Linear(2, 2)


@dataclass
class Fit:
    """Least squares of a noisy target: both kinds of random numbers matter."""

    model: Net
    inputs: Tensor
    bad: int = -1
    """Example whose loss is not a number."""
    tokens: int = 0

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> dict[str, Tensor]:
        self.tokens += len(batch)
        found = self.model.layers(self.inputs[batch])[:, 0]
        wanted = self.inputs[batch].sum(1) + torch.from_numpy(rng.normal(0, 0.1, len(batch))).float()
        loss = ((found - wanted) ** 2).mean()
        return {"squares": loss * (float("nan") if self.bad in batch else 1.0), "size": (found**2).mean() / 10}
