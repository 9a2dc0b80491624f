"""Quality of judgments: accuracy of the charges, calibration error and Brier score of their probabilities.

The unit is a pair of query and charge. Counted are the ten charges that a judgment lists, and the query's own charges
that it does not list, with probability 0. The hundreds of other charges are left out: nearly all are correctly given
almost no probability, and their number would hide any error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexgear.evaluation.coverage import coverage
from lexgear.evaluation.significance import bootstrap, bootstrap_of

BINS = 10
"""Bins with equal numbers of pairs; with equal widths most would be empty, as most probabilities are near 0 or 1."""


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A judgment on a query, and the charges that apply."""

    gold: frozenset[str]
    """The charges that apply; at least one."""
    predicted: Mapping[str, float]
    """The listed charges with their probabilities, most probable first; empty if no judgment was made."""

    def pairs(self) -> list[tuple[float, bool]]:
        """Return the probability of every charge listed or missed, and whether it applies."""
        listed = [(probability, name in self.gold) for name, probability in self.predicted.items()]
        return listed + [(0.0, True)] * len(self.gold.difference(self.predicted))

    @property
    def brier(self) -> float:
        """Σ (probability − truth)² over the charges; 0 is best."""
        return sum((probability - right) ** 2 for probability, right in self.pairs())


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95% bootstrap interval over the queries."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class JudgmentQuality:
    """Measures of the judgments on some queries."""

    queries: int
    coverage_at_1: Interval
    coverage_at_3: Interval
    first_correct: Interval
    """Share of queries whose first charge applies."""
    calibration_error: Interval
    """Expected calibration error. Its interval is biased upwards, as resampling adds noise."""
    brier: Interval


def judgment_quality(judged: Sequence[JudgedQuery]) -> JudgmentQuality:
    """Return the measures of one or more judgments."""
    predicted = {str(place): [(name,) for name in one.predicted] for place, one in enumerate(judged)}
    gold = {str(place): tuple(one.gold) for place, one in enumerate(judged)}
    pairs = [one.pairs() for one in judged]

    def error(places: Sequence[int]) -> float:
        return calibration_error([pair for place in places for pair in pairs[place]])

    at_1, at_3 = (_mean(list(coverage(gold, predicted, k).values())) for k in (1, 3))
    return JudgmentQuality(
        queries=len(judged),
        coverage_at_1=at_1,
        coverage_at_3=at_3,
        first_correct=_mean([float(next(iter(one.predicted), None) in one.gold) for one in judged]),
        calibration_error=Interval(error(range(len(judged))), *bootstrap_of(error, len(judged))),
        brier=_mean([one.brier for one in judged]),
    )


def quality_by_charges(judged: Sequence[JudgedQuery]) -> dict[str, JudgmentQuality]:
    """Return the measures over all queries, over those with one charge, and over those with several."""
    groups = {
        "all": list(judged),
        "one charge": [one for one in judged if len(one.gold) == 1],
        "several charges": [one for one in judged if len(one.gold) > 1],
    }
    return {name: judgment_quality(group) for name, group in groups.items() if group}


def calibration_error(pairs: Sequence[tuple[float, bool]], bins: int = BINS) -> float:
    """Return the mean distance between probability and truth over bins of equal size, sorted by probability.

    >>> calibration_error([(0.9, True), (0.9, False), (0.1, False), (0.1, False)], bins=2)
    0.25
    """
    import numpy as np

    probability, right = np.array(pairs, dtype=float).T
    # Pairs with equal probabilities share their mean truth, so that the bins do not depend on their order.
    _, group = np.unique(probability, return_inverse=True)
    truth = (np.bincount(group, right) / np.bincount(group))[group]
    gaps = np.array_split((probability - truth)[np.argsort(probability)], min(bins, len(pairs)))
    return float(sum(abs(gap.sum()) for gap in gaps) / len(pairs))


def _mean(values: list[float]) -> Interval:
    return Interval(sum(values) / len(values), *bootstrap(values))
