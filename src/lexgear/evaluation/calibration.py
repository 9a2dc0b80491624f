"""Whether judgments are right, and whether their probabilities can be trusted: calibration error and Brier score.

A pair is a query with a charge. Counted are the charges that a judgment lists, its ten likeliest, and the query's own
charges that it does not list: it has held them for impossible, so their probability is 0. The hundreds of charges that
are neither would all be right at next to nothing, and hide any error in their number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexgear.evaluation.coverage import coverage
from lexgear.evaluation.significance import bootstrap, bootstrap_of

BINS = 10
"""Of as many pairs each: bins of equal width would leave most empty, since most probabilities are near 0 or 1."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgment beside the truth."""

    gold: frozenset[str]
    """The charges that apply; at least one."""
    named: Mapping[str, float]
    """The charges listed with their probabilities, the likeliest first; none where the judgment was refused."""

    def pairs(self) -> list[tuple[float, bool]]:
        """Probability, and whether it applies, of every charge listed or missed."""
        listed = [(probability, name in self.gold) for name, probability in self.named.items()]
        return listed + [(0.0, True)] * len(self.gold.difference(self.named))

    @property
    def brier(self) -> float:
        """Σ (probability − truth)² over the charges; 0 at best."""
        return sum((probability - right) ** 2 for probability, right in self.pairs())


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95% bootstrap interval over the queries."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Trust:
    """What there is to say about the judgments on some queries."""

    queries: int
    coverage_at_1: Interval
    coverage_at_3: Interval
    first_right: Interval
    """Share of the queries whose first charge applies."""
    calibration_error: Interval
    """Expected calibration error. Its interval leans upwards: resampling adds noise of its own."""
    brier: Interval


def trust(judged: Sequence[Judged]) -> Trust:
    """Measures judgments, at least one."""
    names = {str(place): [(name,) for name in one.named] for place, one in enumerate(judged)}
    gold = {str(place): tuple(one.gold) for place, one in enumerate(judged)}
    pairs = [one.pairs() for one in judged]

    def error(places: Sequence[int]) -> float:
        return calibration_error([pair for place in places for pair in pairs[place]])

    at_1, at_3 = (_mean(list(coverage(gold, names, k).values())) for k in (1, 3))
    return Trust(
        queries=len(judged),
        coverage_at_1=at_1,
        coverage_at_3=at_3,
        first_right=_mean([float(next(iter(one.named), None) in one.gold) for one in judged]),
        calibration_error=Interval(error(range(len(judged))), *bootstrap_of(error, len(judged))),
        brier=_mean([one.brier for one in judged]),
    )


def by_charges(judged: Sequence[Judged]) -> dict[str, Trust]:
    """All queries, and those of one and of several charges apart, where there are any."""
    groups = {
        "all": list(judged),
        "one charge": [one for one in judged if len(one.gold) == 1],
        "several charges": [one for one in judged if len(one.gold) > 1],
    }
    return {name: trust(some) for name, some in groups.items() if some}


def calibration_error(pairs: Sequence[tuple[float, bool]], bins: int = BINS) -> float:
    """Mean distance between probability and truth over bins of as many pairs, sorted by probability.

    >>> calibration_error([(0.9, True), (0.9, False), (0.1, False), (0.1, False)], bins=2)
    0.25
    """
    import numpy as np

    probability, right = np.array(pairs, dtype=float).T
    # Pairs of one probability share their truth: which of them a bin takes must not depend on their order.
    _, group = np.unique(probability, return_inverse=True)
    truth = (np.bincount(group, right) / np.bincount(group))[group]
    gaps = np.array_split((probability - truth)[np.argsort(probability)], min(bins, len(pairs)))
    return float(sum(abs(gap.sum()) for gap in gaps) / len(pairs))


def _mean(values: list[float]) -> Interval:
    return Interval(sum(values) / len(values), *bootstrap(values))
