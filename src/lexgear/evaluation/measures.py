"""Measures under the names and with the defaults of ir_measures, and the three that GEAR's paper adds.

`nDCG@10` has linear gain, as in trec_eval; `nDCG(dcg='exp-log2')@10` has the gain 2^grade - 1. `R(rel=3)@20` counts
documents from grade 3 on as relevant. `MRR` and `MAP` are accepted for `RR` and `AP`; capitals do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lexgear.errors import ErrorCode, InputError

_FORM = re.compile(r"(?P<name>\w+?)(?:\((?P<parameters>[^()]*)\))?(?:@(?P<cutoff>\d{1,9}))?", re.ASCII)
_COMMA_BETWEEN_MEASURES = re.compile(r",(?![^(]*\))")
_LINEAR, _EXPONENTIAL = "log2", "exp-log2"


@dataclass(frozen=True, slots=True)
class Family:
    """Measures that differ only in their parameters."""

    description: str
    """One line for a person who chooses."""
    cutoff: str = "required"
    """`required`, `optional` or `none`."""
    has_threshold: bool = True
    """True if documents count as relevant from a certain grade on."""
    ours: bool = False
    """True if ir_measures does not have it."""


FAMILIES = {
    "nDCG": Family("discounted gain as a share of the best possible", cutoff="optional", has_threshold=False),
    "RR": Family("1 over the rank of the first relevant document", cutoff="optional"),
    "AP": Family("mean of the precision at each relevant document", cutoff="optional"),
    "P": Family("share of the first k documents that are relevant"),
    "R": Family("share of the relevant documents that are among the first k"),
    "Judged": Family("share of the first k documents that have a label", has_threshold=False),
    "mrr_gear": Family(
        "MRR as computed by GEAR's authors: mean of 1/rank over the relevant documents among the first 30. It can fall "
        "when more of them are found, so it is only for comparison with the paper",
        cutoff="none",
        ours=True,
    ),
    "coverage": Family(
        "share of the query's charges found among the charges of the first k documents", has_threshold=False, ours=True
    ),
    "coverage_judgment": Family(
        "share of the query's charges found among the first k charges predicted", has_threshold=False, ours=True
    ),
}
_NAMES = {name.casefold(): name for name in FAMILIES} | {"mrr": "RR", "map": "AP"}


@dataclass(frozen=True, slots=True, repr=False)
class Measure:
    """One measure; its `repr` is what one types.

    >>> Measure("R", cutoff=20, rel=3)
    R(rel=3)@20
    >>> Measure("nDCG", cutoff=10, dcg="exp-log2")
    nDCG(dcg='exp-log2')@10
    """

    name: str
    cutoff: int | None = None
    rel: int = 1
    """The lowest grade that counts as relevant."""
    dcg: str = _LINEAR
    """`log2` for linear gain, `exp-log2` for exponential gain."""

    def __repr__(self) -> str:
        return self.written(self.rel)

    def written(self, rel: int = 1) -> str:
        """Return the measure as one types it; by default without its threshold, which a collection may imply."""
        parameters = f"(rel={rel})" if rel != 1 else f"(dcg={self.dcg!r})" if self.dcg != _LINEAR else ""
        return f"{self.name}{parameters}{'' if self.cutoff is None else f'@{self.cutoff}'}"

    @property
    def exponential(self) -> bool:
        """True if the gain of a document is 2^grade - 1."""
        return self.dcg == _EXPONENTIAL


def parse_measures(measures: str | Iterable[str | Measure], relevant_from: int = 1) -> tuple[Measure, ...]:
    """Return the measures of these names; `relevant_from` is the threshold of those that state none.

    Several measures may stand in one string, separated by commas.

    >>> parse_measures("r@20, MAP(rel=1), nDCG@10", relevant_from=3)
    (R(rel=3)@20, AP, nDCG@10)
    """
    if relevant_from < 1:
        raise InputError(
            f"the lowest relevant grade cannot be {relevant_from}",
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="it must be 1 or more",
            value=relevant_from,
        )
    names = _COMMA_BETWEEN_MEASURES.split(measures) if isinstance(measures, str) else measures
    parsed = (name if isinstance(name, Measure) else _parse(name, relevant_from) for name in names)
    return tuple(dict.fromkeys(parsed))


def _parse(written: str, relevant_from: int) -> Measure:
    match = _FORM.fullmatch(written.strip())
    name = _NAMES.get(match["name"].casefold()) if match else None
    if match is None or name is None:
        raise _unknown(written)
    family = FAMILIES[name]
    parameters = _parameters(written, name, match["parameters"] or "")
    cutoff = int(match["cutoff"]) if match["cutoff"] else None
    if cutoff == 0 or (cutoff is None and family.cutoff == "required"):
        raise _invalid(written, name, "needs a cutoff of 1 or more")
    if cutoff is not None and family.cutoff == "none":
        raise _invalid(written, name, "takes no cutoff")
    if parameters.get("rel", 1) < 1:
        raise _invalid(written, name, "needs a threshold of 1 or more")
    rel = parameters.get("rel", relevant_from) if family.has_threshold else 1
    return Measure(name, cutoff, rel, parameters.get("dcg", _LINEAR))


def _parameters(written: str, name: str, parameters: str) -> dict[str, Any]:
    """Return the parameters between the parentheses, read and validated by ir_measures."""
    import ir_measures

    # GEAR's MRR takes the parameters of RR; coverage, like Judged, takes none.
    stand_in = {"mrr_gear": "RR", "coverage": "Judged", "coverage_judgment": "Judged"}.get(name, name)
    try:
        measure: Any = ir_measures.parse_measure(f"{stand_in}({parameters})@1")
        measure.validate_params()
    except (AssertionError, KeyError, NameError, SyntaxError, TypeError, ValueError):
        raise _invalid(written, name, f"has no parameter {parameters!r}") from None
    found = {key: value for key, value in measure.params.items() if key != "cutoff"}
    if unsupported := found.keys() - {"rel", "dcg"}:
        raise _invalid(written, name, f"cannot be computed with {', '.join(sorted(unsupported))}")
    return found


def _unknown(written: str) -> InputError:
    if written.strip().casefold().startswith("ndcg_lin"):
        return InputError(
            "nDCG_lin has been renamed: nDCG has linear gain, as in ir_measures",
            code=ErrorCode.UNKNOWN_NAME,
            remedy="write nDCG@10 for linear gain, nDCG(dcg='exp-log2')@10 for exponential gain",
            name=written,
        )
    examples = ", ".join(_example(name) for name in FAMILIES)
    return InputError(
        f"unknown measure {written!r}", code=ErrorCode.UNKNOWN_NAME, remedy=f"choose from {examples}", name=written
    )


def _invalid(written: str, name: str, problem: str) -> InputError:
    return InputError(
        f"the measure {written!r} {problem}",
        code=ErrorCode.INVALID_ARGUMENT,
        remedy=f"for example {_example(name)}",
        name=written,
    )


def _example(name: str) -> str:
    return f"{name}@10" if FAMILIES[name].cutoff == "required" or name == "nDCG" else name
