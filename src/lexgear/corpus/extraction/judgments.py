"""Everything a criminal judgment says about itself, read out of its text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexgear.corpus.extraction import courts
from lexgear.corpus.extraction.appeals import upheld_defendants
from lexgear.corpus.extraction.charges import accused_of, found_in_reasoning, named_in_title, spoken_of
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
    """What was read out of one judgment; what the text does not say is empty."""

    charges: tuple[str, ...]
    """All charges found, by their official names; where nobody is convicted, those accused."""
    defendants: tuple[Defendant, ...]
    articles: tuple[Citation, ...]
    penalty: Penalty | None
    """The heaviest of the defendants' final sentences."""
    court: str
    level: str
    region: str
    date: str
    number: str


def read_judgment(
    *, full: str = "", title: str = "", fact: str = "", reasoning: str = "", verdict: str = ""
) -> ExtractedJudgment:
    """Reads a judgment from its full text, or from the parts of it that are at hand.

    Charges come from the verdict and from what it upholds; else, in this order, from the reasoning, the
    title, the accusation. Where all are acquitted they are those accused, so that the case can be found.

    >>> read_judgment(verdict="被告人甲某犯盗窃罪，判处拘役三个月。").charges
    ('盗窃罪',)
    """
    full, title, fact, reasoning, verdict = map(_whole_characters, (full, title, fact, reasoning, verdict))
    told, reasoning, verdict = _parts(full or fact, reasoning, verdict)
    decided = read_verdict(verdict)
    defendants = (*decided, *upheld_defendants(told, verdict, decided))
    charges = _charges(defendants)
    if not charges and "无罪" in verdict:
        charges = accused_of(told) or named_in_title(title)
    charges = charges or found_in_reasoning(reasoning) or named_in_title(title) or accused_of(told) or spoken_of(told)
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


def _whole_characters(text: str) -> str:
    """The text with a sign for each lone surrogate, which the search for charges cannot read."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _charges(defendants: tuple[Defendant, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(charge for defendant in defendants for charge in defendant.charges))


def _parts(text: str, reasoning: str, verdict: str) -> tuple[str, str, str]:
    """What comes before the reasoning, the reasoning and the verdict; those not given are looked for."""
    starts = list(_VERDICT.finditer(text))
    if not verdict and starts:
        rest = text[starts[-1].end() :]
        signed = _SIGNATURE.search(rest)
        verdict = rest[: signed.start()] if signed else rest
    end = starts[-1].end() if starts else len(text)
    opinions = [match.start() for match in _REASONING.finditer(text, 0, end)]
    start = opinions[-1] if opinions else end
    return text[:start], reasoning or text[start:end], verdict
