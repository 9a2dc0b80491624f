"""Extraction of all fields of a criminal judgment from its text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexgear.corpus.extraction import courts
from lexgear.corpus.extraction.appeals import upheld_defendants
from lexgear.corpus.extraction.charges import charges_accused, charges_in_reasoning, charges_in_title, charges_mentioned
from lexgear.corpus.extraction.citations import read_citations
from lexgear.corpus.extraction.penalties import heaviest
from lexgear.corpus.extraction.verdicts import read_verdict
from lexgear.corpus.records import Citation, Defendant, Penalty

_VERDICT = re.compile(r"(?:判决|裁定|决定)如下\s*[：:]?")
_REASONING = re.compile(r"本院(?:再审|二审|审理|审查)?(?:后)?认为")
_SIGNATURE = re.compile(r"\s(?:代理)?审判[长员]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class ExtractedJudgment:
    """Fields extracted from a judgment; empty if the text does not state them."""

    charges: tuple[str, ...]
    """Official names of all charges of the conviction, or of the accusation if nobody is convicted."""
    defendants: tuple[Defendant, ...]
    articles: tuple[Citation, ...]
    penalty: Penalty | None
    """Heaviest final penalty of the defendants."""
    court: str
    level: str
    region: str
    date: str
    number: str


def read_judgment(
    *, full: str = "", title: str = "", fact: str = "", reasoning: str = "", verdict: str = ""
) -> ExtractedJudgment:
    """Extract the fields of a judgment from its full text, or from the sections that are available.

    Charges come from the verdict and from what it upholds; failing that, from the reasoning, the title or the
    accusation, in this order. If everybody is acquitted, they are those of the accusation, so that the case can be
    found.

    >>> read_judgment(verdict="被告人甲某犯盗窃罪，判处拘役三个月。").charges
    ('盗窃罪',)
    """
    full, title, fact, reasoning, verdict = map(_replace_surrogates, (full, title, fact, reasoning, verdict))
    narrative, reasoning, verdict = _parts(full or fact, reasoning, verdict)
    decided = read_verdict(verdict)
    defendants = (*decided, *upheld_defendants(narrative, verdict, decided))
    charges = _charges(defendants)
    if not charges and "无罪" in verdict:
        charges = charges_accused(narrative) or charges_in_title(title)
    charges = (
        charges
        or charges_in_reasoning(reasoning)
        or charges_in_title(title)
        or charges_accused(narrative)
        or charges_mentioned(narrative)
    )
    court, number = courts.read_court(full), courts.read_number(full)
    return ExtractedJudgment(
        charges=charges,
        defendants=defendants,
        articles=read_citations(f"{reasoning}\n{verdict}"),
        penalty=heaviest(defendant.penalty for defendant in defendants),
        court=court,
        level=courts.court_level(court),
        region=courts.read_region(court, number, verdict),
        date=courts.read_date(full),
        number=number,
    )


def _replace_surrogates(text: str) -> str:
    """Return the text with lone surrogates replaced, which the search for charges cannot read."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _charges(defendants: tuple[Defendant, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(charge for defendant in defendants for charge in defendant.charges))


def _parts(text: str, reasoning: str, verdict: str) -> tuple[str, str, str]:
    """Return the text before the reasoning, the reasoning and the verdict; find those that are not given."""
    starts = list(_VERDICT.finditer(text))
    if not verdict and starts:
        rest = text[starts[-1].end() :]
        signed = _SIGNATURE.search(rest)
        verdict = rest[: signed.start()] if signed else rest
    end = starts[-1].end() if starts else len(text)
    opinions = [match.start() for match in _REASONING.finditer(text, 0, end)]
    start = opinions[-1] if opinions else end
    return text[:start], reasoning or text[start:end], verdict
