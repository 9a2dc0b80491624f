"""Systems beside each other: means with intervals, and paired tests against a baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lexgear.evaluation.measures import Measure
from lexgear.evaluation.scoring import Values
from lexgear.evaluation.significance import bonferroni, bootstrap, paired_t_test

Key: TypeAlias = tuple[str, Measure]
"""A system under a measure."""

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Difference:
    """How far a system is from the baseline, over the queries both have a value for."""

    mean: float
    low: float
    high: float
    p: float
    p_bonferroni: float

    @property
    def significant(self) -> bool:
        """Whether the difference holds after Bonferroni's correction."""
        return self.p_bonferroni < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Cell:
    """A system under a measure: the mean with its bootstrap interval, and how it stands to the baseline."""

    mean: float
    low: float
    high: float
    queries: int
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Systems beside each other under the same measures."""

    systems: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Mapping[Key, Values]
    """Query by query."""
    cells: Mapping[Key, Cell]
    """Without an entry where a system has no value for any query."""
    notes: tuple[str, ...] = ()
    """What was left out, or counted as 0."""
    baseline: str | None = None
    comparisons: int = 0
    """How many differences were tested; Bonferroni's factor."""


def compare(values: Mapping[Key, Values], baseline: str | None = None, notes: Iterable[str] = ()) -> Evaluation:
    """Means, intervals and tests from the value of each query."""
    pairs: dict[Key, list[tuple[float, float]]] = {}
    for (system, measure), ours in values.items():
        if baseline is not None and system != baseline:
            theirs = values[baseline, measure]
            pairs[system, measure] = [(ours[query], theirs[query]) for query in ours if query in theirs]
    tested = {key: both for key, both in pairs.items() if both}
    cells = {
        key: _cell(per_query, _difference(tested[key], len(tested)) if key in tested else None)
        for key, per_query in values.items()
        if per_query
    }
    systems = tuple(dict.fromkeys(system for system, _ in values))
    measures = tuple(dict.fromkeys(measure for _, measure in values))
    return Evaluation(systems, measures, values, cells, tuple(notes), baseline, len(tested))


def _difference(pairs: list[tuple[float, float]], comparisons: int) -> Difference:
    ours, theirs = zip(*pairs, strict=True)
    differences = [a - b for a, b in pairs]
    p = paired_t_test(ours, theirs)
    return Difference(_mean(differences), *bootstrap(differences), p, bonferroni(p, comparisons))


def _cell(per_query: Values, difference: Difference | None) -> Cell:
    values = list(per_query.values())
    return Cell(_mean(values), *bootstrap(values), len(values), difference)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
