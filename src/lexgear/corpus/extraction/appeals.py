"""Rulings on appeals: convictions they uphold, read from the earlier judgment that they quote."""

from __future__ import annotations

import re

from lexgear.corpus.extraction.parties import ROLE
from lexgear.corpus.extraction.verdict_charges import revoked_text
from lexgear.corpus.extraction.verdicts import read_verdict
from lexgear.corpus.records import Defendant

_UPHELD = re.compile("维持|驳回[^，。；]{0,40}(?:上诉|抗诉|申诉)")
_EARLIER_COURT = re.compile(r"作出[^。]{0,80}(?:判决|裁定)|原审法院|原判|一审法院|原审判决")
_GAP = r"\s{0,4}"
_QUOTED = re.compile(
    rf"""(?:判决|判处|判令|裁定|认定|如下){_GAP}[：:]
    | (?:判决|如下|认定|规定|判处|[以对]){_GAP}[，,]?{_GAP}(?:认定|[以对])?{_GAP}(?:一、)?(?=
      {ROLE}[^，。；]{{1,80}}[犯以])
    | (?:认定|判决)(?=[^，。；]{{2,30}}犯[^，。；]{{2,40}}罪[，,]?判处)
    | [，。；：\s院审判](?:分别)?以(?=[^，。；]{{2,60}}罪[，,]?(?:分别)?判处)
    """,
    re.VERBOSE,
)
_QUOTE_END = re.compile(r"宣判后|判决后|不服|上诉称|上诉[^。]{0,10}提出|提出上诉|抗诉|辩护人|申诉|审理查明|上诉理由")
_LONGEST_CLAUSE = 200
_LONGEST = 20_000  # characters; enough for a quoted verdict on some hundred defendants


def upheld_defendants(narrative: str, verdict: str, decided: tuple[Defendant, ...]) -> tuple[Defendant, ...]:
    """Return the defendants whose conviction a ruling upholds without repeating it."""
    if not _UPHELD.search(verdict):
        return ()
    settled = {defendant.name for defendant in decided}
    revoked = revoked_text(verdict)
    return tuple(
        defendant
        for defendant in quoted_verdict(narrative)
        if defendant.charges and defendant.name not in settled and defendant.name not in revoked
    )


def quoted_verdict(narrative: str) -> tuple[Defendant, ...]:
    """Return the defendants of the earlier verdicts quoted before the reasoning; later verdicts take precedence.

    >>> quoted_verdict("一审判决：被告人甲某犯盗窃罪，判处拘役三个月。宣判后，甲某不服，提出上诉。")[0].charges
    ('盗窃罪',)
    """
    found: dict[str, Defendant] = {}
    earlier = _EARLIER_COURT.search(narrative)
    end = earlier.start() if earlier else 0
    # The head lists the parties; witnesses may have been convicted of other things.
    parties = narrative[:end] or narrative
    for start in _QUOTED.finditer(narrative, end):
        if start.start() < end:
            continue
        closing = _QUOTE_END.search(narrative, start.end(), start.end() + _LONGEST)
        stop = closing.start() if closing else min(len(narrative), start.end() + _LONGEST)
        floor = max(end, start.start() - _LONGEST_CLAUSE)
        begin = max(floor, *(narrative.rfind(sign, floor, start.end()) for sign in "。； "))
        read = {
            defendant.name: defendant
            for defendant in read_verdict(narrative[begin:stop])
            if defendant.charges and defendant.penalty and defendant.name and defendant.name in parties
        }
        # A later verdict on fewer people is more likely a remark about one of them.
        found = found | read if len(read) >= len(found) else read | found
        end = stop
    return tuple(found.values())
