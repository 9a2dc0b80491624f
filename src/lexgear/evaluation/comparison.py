"""Comparison of systems: means with bootstrap intervals, and paired tests against a baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.measures import Measure
from lexgear.evaluation.notes import Note, merge_notes
from lexgear.evaluation.scoring import Values
from lexgear.evaluation.significance import bonferroni, bootstrap, paired_t_test

if TYPE_CHECKING:
    from pandas import DataFrame

Key: TypeAlias = tuple[str, Measure]
"""System and measure."""

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference between a system and the baseline, over the queries for which both have a value."""

    mean: float
    low: float
    high: float
    p: float
    p_bonferroni: float

    @property
    def significant(self) -> bool:
        """True if the difference is significant after Bonferroni's correction."""
        return self.p_bonferroni < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Cell:
    """One system under one measure: the mean, its 95% bootstrap interval, and the difference from the baseline."""

    mean: float
    low: float
    high: float
    queries: int
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Systems compared under the same measures; `print` shows it as a Markdown table."""

    systems: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Mapping[Key, Values] = field(repr=False)
    """Values per query."""
    cells: Mapping[Key, Cell]
    """No entry if a system has no value for any query."""
    notes: tuple[Note, ...] = ()
    """Remarks on queries that were left out or counted as 0."""
    baseline: str | None = None
    comparisons: int = 0
    """Number of differences tested: the factor of Bonferroni's correction."""

    def to_pandas(self) -> DataFrame:
        """Return a table with one row per system and, for each measure, its mean and 95% interval.

        With a baseline there are also the difference from it and its p-value, plain and Bonferroni-corrected.
        """
        try:
            import pandas
        except ImportError:
            raise InputError(
                "pandas is not installed", code=ErrorCode.MISSING_DEPENDENCY, remedy="pip install pandas", name="pandas"
            ) from None
        return pandas.DataFrame([{"system": system, **self._columns(system)} for system in self.systems])

    def __str__(self) -> str:
        from lexgear.evaluation.tables import markdown

        return markdown(self)

    def _columns(self, system: str) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        for measure in self.measures:
            cell = self.cells.get((system, measure))
            columns |= {
                f"{measure}": cell and cell.mean,
                f"{measure} low": cell and cell.low,
                f"{measure} high": cell and cell.high,
            }
            if self.baseline is not None:
                versus = cell and cell.difference
                columns |= {
                    f"{measure} difference": versus and versus.mean,
                    f"{measure} p-value": versus and versus.p,
                    f"{measure} p-value corrected": versus and versus.p_bonferroni,
                }
        return columns


def compare(values: Mapping[Key, Values], baseline: str | None = None, notes: Iterable[Note] = ()) -> Evaluation:
    """Return means, intervals and tests computed from the values per query."""
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
    return Evaluation(systems, measures, values, cells, merge_notes(notes), baseline, len(tested))


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
