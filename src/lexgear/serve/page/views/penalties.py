"""Distribution of the penalties of the hits by charge, in brackets of months.

It describes decided cases and predicts nothing. Penalties that combine several charges, or add an earlier sentence,
stand apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from lexgear.corpus.penalty_bands import ENDS
from lexgear.corpus.records import Count, Penalty
from lexgear.serve.api import models

MAX_CHARGES = 3
"""Charges whose penalties are shown: the most frequent among the hits."""


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


@dataclass(frozen=True)
class ChargePenalties:
    """Penalties of the cases that were decided under a charge."""

    charge: str
    """Empty for cases without charges."""
    cases: int
    alone: Distribution | None
    """Penalties for this charge alone; None if none is known."""
    combined: Distribution | None
    """Final penalties of the cases of which only a combined one is known; None if there are no such cases."""


def penalties_by_charge(hits: Iterable[models.Hit]) -> list[ChargePenalties]:
    """Return the penalties of the charges that most hits were decided under; empty if no penalty is known."""
    alone: dict[str, list[Penalty | None]] = {}
    combined: dict[str, list[Penalty]] = {}
    for hit in hits:
        for count in hit.penalties_by_charge or [Count("", hit.penalty)]:
            own, others = alone.setdefault(count.charge, []), combined.setdefault(count.charge, [])
            if count.penalty is None and hit.penalty is not None:
                others.append(hit.penalty)
            else:
                own.append(count.penalty)
    found = [
        ChargePenalties(charge, len(own) + len(combined[charge]), distribution(own), distribution(combined[charge]))
        for charge, own in alone.items()
    ]
    known = [one for one in found if one.alone or one.combined]
    return sorted(known, key=lambda one: -one.cases)[:MAX_CHARGES]


def distribution(penalties: Iterable[Penalty | None]) -> Distribution | None:
    """Return the distribution of the heaviest penalty per case; None if no penalty is known."""
    given = list(penalties)
    if not any(given):
        return None
    months = [one.months for one in given if one and one.months]
    middle = median(months) if months else None
    ends: list[int | None] = [*ENDS, None]
    brackets = []
    for above, to in zip((0, *ENDS), ends, strict=True):
        inside = [one for one in months if above < one and (to is None or one <= to)]
        has_median = middle is not None and above < middle and (to is None or middle <= to)
        brackets.append(Bracket(above, to, len(inside), has_median))
    kinds = Counter(one.kind if one else "" for one in given if one is None or not one.months)
    highest = max(one.cases for one in brackets)
    return Distribution(len(given), len(months), middle, brackets, kinds.most_common(), highest)
