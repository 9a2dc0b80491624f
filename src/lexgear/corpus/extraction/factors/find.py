"""Search for the factors in the sections of a judgment, or in the facts of a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from lexgear.corpus.extraction.factors.amounts import amounts
from lexgear.corpus.extraction.factors.anchors import Anchors, Places
from lexgear.corpus.extraction.factors.factor import Factor
from lexgear.corpus.extraction.factors.measures import DRUG_NAME, alcohol, deaths, drugs
from lexgear.corpus.extraction.factors.negation import denied, denies
from lexgear.corpus.extraction.factors.passages import PASSAGE_PATTERNS, Passages, passages
from lexgear.corpus.extraction.factors.people import OWNER, VICTIM, ages, named_victims, of_another, of_defendant
from lexgear.corpus.extraction.factors.rules import SECTIONS, Rule, rules
from lexgear.corpus.extraction.factors.surrender import without_denied_surrender

READERS: Mapping[str, Callable[[str, Passages], list[Factor]]] = {
    "amount": amounts,
    "drugs": drugs,
    "alcohol": alcohol,
    "death": deaths,
    "many_victims": named_victims,
}
"""Factors that functions read; `ages` adds to those of minors and old people."""
_EMPLOYEE_OFFENCE = re.compile("职务侵占|挪用资金|非国家工作人员")
_OFFICIAL_OFFENCE = re.compile("(?<!非国家工作人员)受贿罪|贪污罪|挪用公款罪|滥用职权|玩忽职守|徇私|私分国有")
_CONVICTION = re.compile("犯[^，。；]{1,40}罪|判处|免予刑事处罚|维持")
MAX_SPANS = 20
"""Longest list of places per factor and section."""
_NEAR = 30
"""Most characters before a match in which `Rule.not_before` is looked for."""
_AROUND = 60
"""Most characters on either side of a match in which `Rule.needs` is looked for."""
_LONGEST_CLAUSE = 300
"""Most characters on either side of a match that belong to its clause, so that the time stays linear."""


def factor_names() -> tuple[str, ...]:
    """Return the names of all factors, in the order of the files of rules and then of the functions."""
    return tuple(dict.fromkeys([*(rule.name for rule in rules()), *READERS]))


def find_factors(sections: Mapping[str, str]) -> list[Factor]:
    """Return the factors that the fact, reasoning and verdict of a judgment state, by section and place.

    >>> [factor.name for factor in find_factors({"reasoning": "被告人系累犯，不构成自首。"})]
    ['recidivist', 'prior_record']
    """
    verdict = sections.get("verdict", "")
    acquitted = {"fact"} if "无罪" in verdict else set()
    if acquitted and not _CONVICTION.search(verdict):
        acquitted.add("reasoning")
    read = {
        name: passages(name, text, _anchors().places(text), acquitted=name in acquitted)
        for name, text in sections.items()
        if text and name in (*SECTIONS, "verdict")
    }
    found = [factor for rule in rules() for factor in _by_rule(rule, read)]
    for name, passage in read.items():
        if name != "verdict":
            found += ages(name, passage.with_evidence)
            found += [factor for reader in READERS.values() for factor in reader(name, passage)]
    return without_denied_surrender(_one_capacity(found, sections), sections)


def find_query_factors(text: str) -> list[Factor]:
    """Return the factors that the facts of a query state; their section is `text`."""
    return find_factors({"text": text})


def _one_capacity(found: list[Factor], sections: Mapping[str, str]) -> list[Factor]:
    """Return the factors without the public office if the court names an employee's offence alone, or the reverse."""
    official = {factor.section for factor in found if factor.name == "official_capacity"}
    if not official:
        return found
    reasoning = sections.get("reasoning", "")
    decided = "reasoning" in official and _OFFICIAL_OFFENCE.search(reasoning)
    if not decided and _EMPLOYEE_OFFENCE.search(reasoning):
        return [factor for factor in found if factor.name != "official_capacity"]
    return [factor for factor in found if factor.name != "employee_capacity" or _own_offence(factor, sections)]


def _own_offence(factor: Factor, sections: Mapping[str, str]) -> bool:
    """Return True if a passage on an employee's position names an offence that officials do not commit."""
    return _EMPLOYEE_OFFENCE.search(sections[factor.section], factor.start, factor.end) is not None


@cache
def _anchors() -> Anchors:
    return Anchors([*PASSAGE_PATTERNS, DRUG_NAME, VICTIM, OWNER, *(rule.pattern for rule in rules())])


def _by_rule(rule: Rule, read: Mapping[str, Passages]) -> list[Factor]:
    found: list[Factor] = []
    overruled = False
    for name in rule.sections:
        if name not in read or rule.pattern not in read[name].places:
            continue
        text = read[name].with_evidence if rule.evidence else read[name].stated
        if rule.requires and not rule.requires.search(text):
            continue
        accepted: list[Factor] = []
        rejected = 0
        for start, end in _matches(rule, read[name].places, text):
            if (rule.of_defendant and of_another(text, start)) or (rule.of_others and of_defendant(text, start)):
                continue
            if rule.negatable and (denied(text, start, end) or (rule.decided and denies(text[start:end]))):
                rejected += 1
            elif len(accepted) < MAX_SPANS:
                accepted.append(Factor(rule.name, name, start, end))
        overruled |= rule.decided and name == "reasoning" and rejected > 0 and not accepted
        found += accepted
    return [] if overruled else found


def _matches(rule: Rule, places: Places, text: str) -> Iterator[tuple[int, int]]:
    for match in places.matches(rule.pattern, text):
        start, end = match.span()
        near = max(0, start - _NEAR)
        if rule.not_before and rule.not_before.search(text, max(near, text.rfind("。", near, start) + 1), start):
            continue
        if rule.not_after and rule.not_after.match(text, end):
            continue
        if rule.needs and not rule.needs.search(text, *_sentence(text, start, end)):
            continue
        if rule.unless and rule.unless.search(text, *_context(rule, text, start, end)):
            continue
        yield start, end


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span around a match in which one of the words of `needs` must occur."""
    first = max(0, start - _AROUND, text.rfind("。", max(0, start - _AROUND), start) + 1)
    after = min(len(text), end + _AROUND)
    last = text.find("。", end, after)
    return first, after if last < 0 else last


def _context(rule: Rule, text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span around a match in which the words of `unless` must not occur: its clause, or less."""
    before, after = max(0, start - _LONGEST_CLAUSE), min(len(text), end + _LONGEST_CLAUSE)
    first = max(before, *(text.rfind(sign, before, start) + 1 for sign in "，。；："))
    last = min((place for sign in "，。；" if (place := text.find(sign, end, after)) >= 0), default=after)
    return (first, last) if rule.within is None else (max(first, start - rule.within), min(last, end + rule.within))
