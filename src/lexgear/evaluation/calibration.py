"""Quality of judgments: accuracy of the charges, calibration error and Brier score of their probabilities.

The unit is a pair of query and charge. Counted are the ten charges that a judgment lists, and the query's own charges
that it does not list, with probability 0. The hundreds of other charges are left out: nearly all are correctly given
almost no probability, and their number would hide any error.
"""

from __future__ import annotations

import math
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

    def first(self) -> list[tuple[float, bool]]:
        """Return the probability of the charge named first, and whether it applies; empty if none was named."""
        return self.pairs()[: min(len(self.predicted), 1)]

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
    """Expected calibration error over all pairs. Its interval is biased upwards, as resampling adds noise."""
    first_calibration_error: Interval
    """The same over the charges named first, one per query; nan if no charge was named."""
    brier: Interval


def judgment_quality(judged: Sequence[JudgedQuery]) -> JudgmentQuality:
    """Return the measures of one or more judgments."""
    predicted = {str(place): [(name,) for name in one.predicted] for place, one in enumerate(judged)}
    gold = {str(place): tuple(one.gold) for place, one in enumerate(judged)}
    pairs, firsts = [one.pairs() for one in judged], [one.first() for one in judged]

    def error(of: list[list[tuple[float, bool]]]) -> Interval:
        def resampled(places: Sequence[int]) -> float:
            return calibration_error([pair for place in places for pair in of[place]])

        return Interval(resampled(range(len(of))), *bootstrap_of(resampled, len(of)))

    at_1, at_3 = (_mean(list(coverage(gold, predicted, k).values())) for k in (1, 3))
    return JudgmentQuality(
        queries=len(judged),
        coverage_at_1=at_1,
        coverage_at_3=at_3,
        first_correct=_mean([float(next(iter(one.predicted), None) in one.gold) for one in judged]),
        calibration_error=error(pairs),
        first_calibration_error=error(firsts),
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


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Pairs with similar probabilities, and how often they were right."""

    pairs: int
    probability: float
    """Mean probability."""
    correct: float
    """Share of the pairs whose charge applies."""


def reliability(pairs: Sequence[tuple[float, bool]], bins: int = BINS) -> list[ReliabilityBin]:
    """Return bins with equal numbers of pairs, sorted by probability.

    >>> reliability([(0.9, True), (0.8, False), (0.1, False), (0.1, False)], bins=2)[1].correct
    0.5
    """
    import numpy as np

    if not pairs:
        return []
    probability, right = np.array(pairs, dtype=float).T
    # Pairs with equal probabilities share their mean truth, so that the bins do not depend on their order.
    _, group = np.unique(probability, return_inverse=True)
    truth = (np.bincount(group, right) / np.bincount(group))[group]
    places = np.array_split(np.argsort(probability, kind="stable"), min(bins, len(pairs)))
    return [ReliabilityBin(len(one), float(probability[one].mean()), float(truth[one].mean())) for one in places]


def calibration_error(pairs: Sequence[tuple[float, bool]], bins: int = BINS) -> float:
    """Return the mean distance between probability and truth over the bins of `reliability`; nan without pairs.

    >>> calibration_error([(0.9, True), (0.9, False), (0.1, False), (0.1, False)], bins=2)
    0.25
    """
    if not pairs:
        return math.nan
    return sum(one.pairs * abs(one.probability - one.correct) for one in reliability(pairs, bins)) / len(pairs)


def _mean(values: list[float]) -> Interval:
    return Interval(sum(values) / len(values), *bootstrap(values))
