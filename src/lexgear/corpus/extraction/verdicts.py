"""Extraction of the defendants of a verdict, with their charges, final penalties and penalties per charge."""

from __future__ import annotations

import re

from lexgear.corpus.extraction.parties import ROLE, named_parties
from lexgear.corpus.extraction.penalties import heaviest, read_penalty
from lexgear.corpus.extraction.verdict_charges import TOTAL, Finding, find_findings, plain_verdict
from lexgear.corpus.records import Count, Defendant, Penalty

_ALIAS = r"(?:（[^（）]{0,12}）)?"
_ACQUITTED = re.compile(rf"({ROLE}{_ALIAS}[^，。；：（）犯罪]{{1,60}}?){_ALIAS}[均都]?无罪")


_COMBINING = re.compile(
    rf"{TOTAL.pattern}|并罚(?!金)|总和|合并|撤[销消]|[前原](?:罪|判|案|犯|被|已)|漏罪|连同|余刑|尚未执行|尚余"
)
"""Words after which a verdict combines penalties, or adds an earlier one."""
_BARE_TERM = re.compile(r"^有?(?=[一二三四五六七八九十两0-9]{1,3}(?:年|个月))")
"""Beginning of a total that leaves out 有期徒刑: 决定执行四年零四个月."""


def read_verdict(verdict: str) -> tuple[Defendant, ...]:
    """Return the defendants of a verdict in its order; those acquitted have no charge.

    A finding without names belongs to a defendant without a name.

    >>> [defendant.charges for defendant in read_verdict("被告人甲某犯盗窃罪，判处拘役三个月；被告人乙某无罪。")]
    [('盗窃罪',), ()]
    """
    text = plain_verdict(verdict)
    by_name: dict[str, list[Finding]] = {}
    for finding in find_findings(text):
        for name in finding.names or ("",):
            by_name.setdefault(name, []).append(finding)
    for match in _ACQUITTED.finditer(text):
        for name in named_parties(match[1]):
            by_name.setdefault(name, [])
    return tuple(Defendant(name, _charges(found), _sentence(found), _counts(found)) for name, found in by_name.items())


def _charges(findings: list[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(charge for finding in findings for charge in finding.charges))


def _sentence(findings: list[Finding]) -> Penalty | None:
    """Return the final combined penalty, or the heaviest if the verdict states none."""
    whole = "；".join(finding.rest for finding in findings)
    totals = list(TOTAL.finditer(whole))
    if totals and (penalty := read_penalty(_BARE_TERM.sub("有期徒刑", whole[totals[-1].end() :], count=1))):
        return penalty
    return heaviest(read_penalty(finding.rest) for finding in findings)


def _counts(findings: list[Finding]) -> tuple[Count, ...]:
    """Return each charge with its own penalty if the final penalty is a combined one; empty if none is known."""
    charges = _charges(findings)
    if len(charges) < 2 and not any(_COMBINING.search(finding.rest) for finding in findings):
        return ()
    counts = tuple(Count(charge, _own_penalty(charge, findings)) for charge in charges)
    return counts if len(charges) == 1 or any(count.penalty for count in counts) else ()


def _own_penalty(charge: str, findings: list[Finding]) -> Penalty | None:
    """Return the penalty for a charge alone; None if the verdict states none, or several that differ."""
    stated = {_before_combining(finding.rest) for finding in findings if finding.charges == (charge,)} - {None}
    return stated.pop() if len(stated) == 1 else None


def _before_combining(rest: str) -> Penalty | None:
    return read_penalty(_COMBINING.split(rest, maxsplit=1)[0])
