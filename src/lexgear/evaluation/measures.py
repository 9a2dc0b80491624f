"""What can be measured, by the name one types: `R@20`, `R(rel=3)@20`, `nDCG@10`, `MRR`, `coverage@5`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lexgear.errors import InputError

_FORM = re.compile(r"(?P<name>\w+?)(?:\(rel=(?P<rel>\d{1,4})\))?(?:@(?P<cutoff>\d{1,9}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Family:
    """Measures that differ in cutoff and threshold alone."""

    says: str
    """One line for a person who chooses."""
    cutoff: str = "needed"
    """`needed`, `allowed` or `none`."""
    binary: bool = True
    """Whether documents count as relevant or not, by a threshold on their grade."""


FAMILIES = {
    "R": Family("share of the relevant documents that stand in the first k"),
    "P": Family("share of the first k documents that are relevant"),
    "MRR": Family("1 over the rank of the first relevant document", cutoff="allowed"),
    "MAP": Family("mean of the precision at each relevant document", cutoff="allowed"),
    "nDCG": Family("discounted gain over the best possible, gain 2^grade - 1", cutoff="allowed", binary=False),
    "nDCG_lin": Family("the same with gain = grade, as trec_eval has it", cutoff="allowed", binary=False),
    "mrr_gear": Family(
        "as GEAR's authors computed MRR: mean of 1/rank over the relevant documents in the first 30; "
        "it can fall when more are found, so it serves for comparison with the paper alone",
        cutoff="none",
    ),
    "coverage": Family("share of the query's charges found among the charges of the first k documents", binary=False),
    "coverage_judgment": Family("share of the query's charges found among the first k charges predicted", binary=False),
}


@dataclass(frozen=True, slots=True, repr=False)
class Measure:
    """One measure; its `repr` is what one types.

    >>> Measure("R", cutoff=20, rel=3)
    R(rel=3)@20
    """

    name: str
    cutoff: int | None = None
    rel: int = 1
    """The lowest grade that counts as relevant."""

    def __repr__(self) -> str:
        rel = "" if self.rel == 1 else f"(rel={self.rel})"
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.name}{rel}{cutoff}"


def parse_measures(written: Iterable[str], relevant_from: int = 1) -> tuple[Measure, ...]:
    """The measures of those names; `relevant_from` is the threshold where a name gives none.

    >>> parse_measures(["r@20", "MAP(rel=1)", "nDCG@10"], relevant_from=3)
    (R(rel=3)@20, MAP, nDCG@10)
    """
    if relevant_from < 1:
        raise InputError(f"grade {relevant_from} cannot be the lowest relevant one", remedy="1 or more")
    return tuple(dict.fromkeys(_parse(name, relevant_from) for name in written))


def _parse(written: str, relevant_from: int) -> Measure:
    match = _FORM.fullmatch(written.strip())
    names = {name.casefold(): name for name in FAMILIES}
    name = names.get(match["name"].casefold()) if match else None
    if match is None or name is None:
        known = ", ".join(_example(name) for name in FAMILIES)
        raise InputError(f"no measure {written!r}", remedy=f"one of {known}")
    family, cutoff, rel = FAMILIES[name], match["cutoff"], match["rel"]
    if (cutoff is None and family.cutoff == "needed") or (cutoff is not None and int(cutoff) == 0):
        raise InputError(f"the measure {written!r} needs a cutoff", remedy=f"such as {_example(name)}")
    if cutoff is not None and family.cutoff == "none":
        raise InputError(f"the measure {written!r} takes no cutoff", remedy=f"write {name}")
    if rel is not None and (int(rel) == 0 or not family.binary):
        raise InputError(f"{written!r}: no such threshold", remedy=f"such as {_example(name)}")
    threshold = int(rel or relevant_from) if family.binary else 1
    return Measure(name, None if cutoff is None else int(cutoff), threshold)


def _example(name: str) -> str:
    return f"{name}@10" if FAMILIES[name].cutoff == "needed" or name.startswith("nDCG") else name
