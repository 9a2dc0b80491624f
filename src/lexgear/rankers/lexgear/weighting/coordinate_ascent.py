"""Weights of the ranking score by coordinate ascent on nDCG@10 (Metzler and Croft, 2007).

The listwise loss is convex, but it rewards order far below the first page. Here one weight after the other is
multiplied or divided by a factor for as long as the first ten candidates of the queries get better, with smaller and
smaller factors.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lexgear.rankers.lexgear.weighting.listwise import Candidates, Floats

CUTOFF = 10
FACTORS = (2.0, 2.0**0.5, 2.0**0.25)
PULL = 0.1
"""Cost of changing a weight by a factor of e; the nDCG of each list counts up to 1. It keeps a handful of queries from
changing much, and is nothing beside hundreds."""
MIN_GAIN = 1e-6
"""Gain that is worth a step; smaller ones are rounding."""


def ascend(queries: Sequence[Candidates], start: Floats) -> Floats:
    """Return the weights with the best nDCG@10 found from a start; queries without a relevant candidate are ignored.

    The second score is right and gets more weight; the first is not:

    >>> one = Candidates(np.array([0, 3, 0]), np.zeros(3), np.array([[2.0, 0.0], [0.0, 1.5], [1.0, 0.0]]))
    >>> wrong, right = ascend([one], np.ones(2))
    >>> bool(right > wrong)
    True
    """
    useful = [one for one in queries if one.grades.any()]
    if not useful:
        return start
    lists, weights = _Lists(useful), start.copy()

    def value(weights: Floats) -> float:
        return float(lists.ndcg(weights).sum()) - PULL * float(np.sum(np.log(weights / start) ** 2))

    best = value(weights)
    for factor in FACTORS:
        improved = True
        while improved:
            improved = False
            for at in range(len(weights)):
                for step in (factor, 1 / factor):
                    while (now := value(tried := _multiplied(weights, at, step))) > best + MIN_GAIN:
                        weights, best, improved = tried, now, True
    return weights


class _Lists:
    """Candidates of all queries, padded to the longest list."""

    def __init__(self, queries: Sequence[Candidates]) -> None:
        longest, count = max(len(one.grades) for one in queries), queries[0].parts.shape[1]
        self.fixed = np.full((len(queries), longest), -np.inf)
        self.parts = np.zeros((len(queries), longest, count))
        self.gains = np.zeros((len(queries), longest))
        for row, one in enumerate(queries):
            size = len(one.grades)
            self.fixed[row, :size], self.parts[row, :size] = one.fixed, one.parts
            self.gains[row, :size] = 2.0**one.grades - 1
        self.ideal = self._discounted(-np.sort(-self.gains, axis=1))

    def ndcg(self, weights: Floats) -> Floats:
        """Return the nDCG@10 of each list, with exponential gain."""
        order = np.argsort(-(self.fixed + self.parts @ weights), axis=1, kind="stable")[:, :CUTOFF]
        return self._discounted(np.take_along_axis(self.gains, order, axis=1)) / self.ideal

    @staticmethod
    def _discounted(gains: Floats) -> Floats:
        first = gains[:, :CUTOFF]
        return np.asarray(first @ (1 / np.log2(np.arange(2, first.shape[1] + 2))))


def _multiplied(weights: Floats, at: int, factor: float) -> Floats:
    changed = weights.copy()
    changed[at] *= factor
    return changed
