"""Moments of scores, exact whatever the order and the division of the documents."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

UNIT = 1 << 30
"""Whole number that stands for a score of 1."""
HALF, BLOCK = 22, 1 << 16
"""Bits of the lower half of a score, and scores summed at once: sums of their products fit into 64 bits."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Number, sum and sum of squares of scores, as whole numbers; those of disjoint documents can be added."""

    count: int
    total: int
    squares: int

    @classmethod
    def of(cls, scores: NDArray[np.float64]) -> Moments:
        """Return the moments of scores, each rounded to a billionth; they must be below 30,000."""
        total = squares = 0
        for first in range(0, len(scores), BLOCK):
            whole = np.rint(scores[first : first + BLOCK] * UNIT).astype(np.int64)
            high, low = whole >> HALF, whole & ((1 << HALF) - 1)
            squares += (int(high @ high) << 2 * HALF) + (int(high @ low) << HALF + 1) + int(low @ low)
            total += int(whole.sum())
        return cls(len(scores), total, squares)

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.count + other.count, self.total + other.total, self.squares + other.squares)

    @property
    def deviation(self) -> float:
        """Standard deviation."""
        spread = self.count * self.squares - self.total**2
        return sqrt(spread) / max(self.count * UNIT, 1)
