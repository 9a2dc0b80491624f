"""Distribution of the penalties of the hits, in brackets of months. It describes decided cases and predicts nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from lexgear.corpus.records import Penalty

BRACKETS = (6, 12, 24, 36, 60, 84, 120, 180)
"""Upper ends in months, inclusive; most are limits of the sentencing ranges of the Criminal Law."""


@dataclass(frozen=True)
class Bracket:
    """Bracket of terms: more than `above` and at most `to` months."""

    above: int
    to: int | None
    cases: int
    has_median: bool


@dataclass(frozen=True)
class Distribution:
    """Distribution of the terms of several cases."""

    shown: int
    terms: int
    """Number of cases with a term."""
    median: float | None
    brackets: Sequence[Bracket]
    without: Sequence[tuple[str, int]]
    """Kind of penalty and number of cases, for cases without a term; an empty kind is unknown to the index."""
    highest: int

    @property
    def rows(self) -> Sequence[Bracket]:
        """The brackets from the first to the last that is not empty."""
        filled = [place for place, one in enumerate(self.brackets) if one.cases]
        return self.brackets[filled[0] : filled[-1] + 1] if filled else ()

    @property
    def without_term(self) -> int:
        """Number of cases without a term."""
        return self.shown - self.terms


def distribution(penalties: Iterable[Penalty | None]) -> Distribution | None:
    """Return the distribution of the heaviest penalty per case; None if no penalty is known."""
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
