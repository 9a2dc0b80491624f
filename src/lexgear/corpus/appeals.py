"""Rulings on an earlier judgment: what they leave standing is read from that judgment as they quote it."""

from __future__ import annotations

import re

from lexgear.corpus.findings import revoked_text
from lexgear.corpus.records import Defendant
from lexgear.corpus.verdicts import read_verdict

_UPHELD = re.compile("维持|驳回[^，。；]{0,40}(?:上诉|抗诉|申诉)")
_EARLIER_COURT = re.compile(r"作出[^。]{0,80}(?:判决|裁定)|原审法院|原判|一审法院|原审判决")
_QUOTED = re.compile(
    r"(?:判决|判处|判令|裁定|如下)\s*[：:]|(?:判决|如下)\s*(?=一、|被告人)|[，。；：\s](?:分别)?以(?=[^，。；]{2,60}罪[，,]?(?:分别)?判处)"
)
_QUOTE_END = re.compile(r"宣判后|判决后|不服|上诉称|上诉[^。]{0,10}提出|提出上诉|抗诉|辩护人|申诉|审理查明|上诉理由")
_LONGEST = 20_000  # characters of a quoted verdict with some hundred defendants


def upheld_defendants(told: str, verdict: str, decided: tuple[Defendant, ...]) -> tuple[Defendant, ...]:
    """The defendants whose conviction a ruling upholds without repeating it."""
    if not _UPHELD.search(verdict):
        return ()
    settled = {defendant.name for defendant in decided}
    revoked = revoked_text(verdict)
    return tuple(
        defendant
        for defendant in quoted_verdict(told)
        if defendant.charges and defendant.name not in settled and defendant.name not in revoked
    )


def quoted_verdict(told: str) -> tuple[Defendant, ...]:
    """The earlier verdicts that the text before the reasoning quotes; the later one holds.

    >>> quoted_verdict("一审判决：被告人甲某犯盗窃罪，判处拘役三个月。宣判后，甲某不服，提出上诉。")[0].charges
    ('盗窃罪',)
    """
    found: dict[str, Defendant] = {}
    earlier = _EARLIER_COURT.search(told)
    end = earlier.start() if earlier else 0
    for start in _QUOTED.finditer(told, end):
        if start.start() < end:
            continue
        closing = _QUOTE_END.search(told, start.end(), start.end() + _LONGEST)
        stop = closing.start() if closing else min(len(told), start.end() + _LONGEST)
        for defendant in read_verdict(told[start.end() - 1 : stop]):
            if defendant.charges and defendant.penalty:
                found[defendant.name] = defendant
        end = stop
    return tuple(found.values())
