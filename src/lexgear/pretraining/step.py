"""What one step looks at: some cases, drawn beforehand, whose facts the encoder reads once for all tasks."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.model.generator import Generator, Read
from lexgear.pretraining.prepared import Prepared

Ints = NDArray[Any]
HEADS = 0.7
"""Share of the windows that begin where the facts begin, as at search time; the others keep cases from being learnt
by heart."""
LENGTHS = (0.375, 0.5, 0.625, 0.75, 1.0)
"""Of the longest text: every step has one, so that short queries are read as well as long judgments."""


class Draw:
    """Some cases, a window of the facts of each, and how alike they are: arrays alone, made while a GPU is busy."""

    def __init__(self, prepared: Prepared, cases: Ints, longest: int, chance: np.random.Generator) -> None:
        self.prepared, self.cases, self.chance = prepared, cases, chance
        self.length = max(round(longest * chance.choice(LENGTHS)), 1)
        self.facts = prepared.facts.random_windows(cases, self.length, chance, heads=HEADS)

    @cached_property
    def alike(self) -> NDArray[np.float32]:
        """(cases, cases): how similar the facts are where one is a near neighbour of the other, 0 elsewhere."""
        place = np.full(self.prepared.learnt + 1, -1)
        place[self.cases] = np.arange(len(self.cases))
        columns = place[self.prepared.neighbours[self.cases]]  # −1 there is the last place, which no case has
        rows, ranks = np.nonzero(columns >= 0)
        alike = np.zeros((len(self.cases), len(self.cases)), dtype=np.float32)
        alike[rows, columns[rows, ranks]] = self.prepared.scores[self.cases[rows], ranks]
        return alike

    def told(self) -> Ints:
        """Which of the cases have a reasoning."""
        return np.flatnonzero(self.prepared.reasoning.lengths[self.cases])


class Step:
    """What the model makes of a draw."""

    def __init__(self, generator: Generator, draw: Draw) -> None:
        self.generator, self.draw = generator, draw
        self.tokens = 0
        """Read and written so far."""

    @cached_property
    def facts(self) -> Read:
        """The facts of the cases."""
        return self.read(*self.draw.facts)

    @cached_property
    def vectors(self) -> Tensor:
        """A unit vector for the facts of each case."""
        return self.generator.vectors(self.facts).float()

    def read(self, numbers: Ints, mask: NDArray[np.bool_]) -> Read:
        """Runs the encoder, and counts the tokens."""
        self.tokens += int(mask.sum())
        return self.generator.read(numbers, mask)

    def on_device(self, array: NDArray[Any]) -> Tensor:
        """An array where the model is."""
        return torch.from_numpy(array).to(self.generator.device)
