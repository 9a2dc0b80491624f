"""Comparison of the factors that two texts state: a query and a judgment, or two judgments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from lexgear.corpus.extraction.factors.factor import Factor
from lexgear.corpus.extraction.factors.find import factor_names, find_factors
from lexgear.corpus.records import Document

_REMEMBERED = 256
"""Judgments whose factors are kept, with their texts: some 2 MB."""


@dataclass(frozen=True, slots=True)
class StatedValue:
    """Value of a factor in a text, in the units of `Factor.value`; both fields are empty for factors without values."""

    value: float | None = None
    band: tuple[int, int | None] | None = None
    """Lower and upper bound of the band in which the value is compared; no upper bound in the highest band."""
    kind: str = ""
    """Name of the drug; empty for other factors."""


@dataclass(frozen=True, slots=True)
class ComparedFactor:
    """A factor of one side or of both; a side that does not state it has None."""

    name: str
    left: StatedValue | None
    right: StatedValue | None


@dataclass(frozen=True, slots=True)
class FactorComparison:
    """Factors of two texts, in the order of `factor_names`."""

    shared: tuple[ComparedFactor, ...]
    """Stated by both, with values in the same band."""
    different: tuple[ComparedFactor, ...]
    """Stated by both, with values in different bands."""
    left_only: tuple[ComparedFactor, ...]
    right_only: tuple[ComparedFactor, ...]

    def __bool__(self) -> bool:
        return bool(self.shared or self.different or self.left_only or self.right_only)


def stated_factors(sections: Mapping[str, str]) -> dict[str, StatedValue]:
    """Return the factors that the sections of a judgment state, each with its largest value.

    >>> stated_factors({"text": "被告人入户盗窃现金4200元。"})["amount"]
    StatedValue(value=4200.0, band=(3000, 10000), kind='')
    """
    largest: dict[str, Factor] = {}
    for factor in find_factors(sections):
        if factor.name not in largest or (factor.value or 0) > (largest[factor.name].value or 0):
            largest[factor.name] = factor
    return {name: StatedValue(one.value, one.band, one.kind) for name, one in largest.items()}


def stated_by_document(document: Document) -> dict[str, StatedValue]:
    """Return the factors that a judgment states; a statutory article states none.

    Those of the last judgments are kept: reading them takes 1 to 2 ms each, and the hits of a search are read again for
    its report and for comparisons.
    """
    return {} if document.node else dict(_remembered_factors(tuple(document.sections.items())))


@lru_cache(_REMEMBERED)
def _remembered_factors(sections: tuple[tuple[str, str], ...]) -> dict[str, StatedValue]:
    return stated_factors(dict(sections))


def compare_factors(left: Mapping[str, StatedValue], right: Mapping[str, StatedValue]) -> FactorComparison:
    """Return which factors both sides state, which in different bands, and which one side alone."""
    lists: tuple[list[ComparedFactor], ...] = ([], [], [], [])
    for name in factor_names():
        ours, theirs = left.get(name), right.get(name)
        if ours and theirs:
            place = 0 if ours.band == theirs.band and ours.kind == theirs.kind else 1
        elif ours or theirs:
            place = 2 if ours else 3
        else:
            continue
        lists[place].append(ComparedFactor(name, ours, theirs))
    return FactorComparison(*map(tuple, lists))
