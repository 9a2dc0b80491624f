"""Penalties of the cases shown as a distribution: brackets of years with bars. What was decided, never what will be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from lexgear.serve.api import models

BRACKETS = (6, 12, 24, 36, 60, 84, 120, 180)
"""Months, upper ends included; most are those at which the Criminal Law parts its ranges of terms."""


@dataclass(frozen=True)
class Bracket:
    """Terms of more than `above` and at most `to` months."""

    above: int
    to: int | None
    cases: int
    has_median: bool


@dataclass(frozen=True)
class Distribution:
    """Terms of several cases."""

    shown: int
    terms: int
    """How many of them have a term."""
    median: float | None
    brackets: Sequence[Bracket]
    without: Sequence[tuple[str, int]]
    """Kind of penalty → how many cases without a term have it; an empty kind is one the index does not know."""
    highest: int

    @property
    def rows(self) -> Sequence[Bracket]:
        """The brackets from the first that has cases to the last."""
        filled = [place for place, one in enumerate(self.brackets) if one.cases]
        return self.brackets[filled[0] : filled[-1] + 1] if filled else ()

    @property
    def without_term(self) -> int:
        """How many have no term."""
        return self.shown - self.terms


def distribution(penalties: Iterable[models.Penalty | None]) -> Distribution | None:
    """Of the heaviest penalty of each case; nothing where the index knows none at all."""
    given = list(penalties)
    if not any(given):
        return None
    months = [one.months for one in given if one and one.months]
    middle = median(months) if months else None
    ends: list[int | None] = [*BRACKETS, None]
    brackets = []
    for above, to in zip((0, *BRACKETS), ends, strict=True):
        inside = [one for one in months if above < one and (to is None or one <= to)]
        has_median = middle is not None and above < middle and (to is None or middle <= to)
        brackets.append(Bracket(above, to, len(inside), has_median))
    kinds = Counter(one.kind if one else "" for one in given if one is None or not one.months)
    highest = max(one.cases for one in brackets)
    return Distribution(len(given), len(months), middle, brackets, kinds.most_common(), highest)
