"""Random choices that are the same in every Python version: based on `Random.random()` alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class SeededRandom:
    """A seeded source of random choices.

    >>> SeededRandom("a").pick("xyz") == SeededRandom("a").pick("xyz")
    True
    """

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self._random.random() < probability

    def unit(self) -> float:
        """Return a number from 0 (included) to 1 (excluded)."""
        return self._random.random()

    def pick(self, options: Sequence[T], weights: Sequence[float] | None = None) -> T:
        """Return one of the options, uniformly or by weight."""
        if weights is None:
            return options[int(self._random.random() * len(options))]
        mark = self._random.random() * sum(weights)
        for option, weight in zip(options, weights, strict=True):
            mark -= weight
            if mark < 0:
                return option
        return options[-1]

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return low + int(self._random.random() * (high - low + 1))

    def shuffled(self, options: Iterable[T]) -> list[T]:
        """Return the options in random order."""
        keyed = [(self._random.random(), position, option) for position, option in enumerate(options)]
        return [option for _, _, option in sorted(keyed, key=lambda row: row[:2])]
