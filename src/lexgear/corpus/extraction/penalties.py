"""Extraction of penalties: 有期徒刑三年六个月，缓刑四年，并处罚金人民币二万元."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lexgear.corpus.json_rows import LARGEST
from lexgear.corpus.records import Penalty
from lexgear.law.numerals import NUMERAL, chinese_number

KINDS = ("death", "death-suspended", "life", "imprisonment", "detention", "control", "fine", "exempt")
"""Kinds of penalties from the heaviest to the lightest."""

_TERM = rf"(?:({NUMERAL}{{1,6}})\s*年(半)?)?\s*[零又另、，]?\s*(?:({NUMERAL}{{1,6}})\s*个?月|(半年))?"
_TERMS = (
    ("imprisonment", re.compile(rf"(?:有期(?:徒刑?)?|徒刑)[为期]?\s*{_TERM}")),
    ("detention", re.compile(rf"拘役[为期]?\s*{_TERM}")),
    ("control", re.compile(rf"管制[为期]?\s*{_TERM}")),
)
_PROBATION = re.compile(rf"缓刑(?:考验)?期?限?[为，]?\s*{_TERM}")
_AMOUNT = "[零〇○一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾佰仟萬0-9０-９.．，,]"
_FINE = re.compile(
    rf"罚[金某款]?\s?(?:各|共计|合计|计)?(?:人民币|RMB|￥)?(?:各|共计|合计|计)?\s*({_AMOUNT}{{1,30}})"
    r"\s*(?:余?[元圆]|(?<=[万萬])(?=[。；，]))"
)
_EXEMPT = re.compile("免[予于除去]+(?:刑事)?(?:处罚|处分)|免刑|不予刑事处罚")
_FIGURE = re.compile(r"([0-9]+(?:\.[0-9]+)?)([万亿]?)")
_WIDE = str.maketrans("０１２３４５６７８９．", "0123456789.", "，,")


def read_penalty(text: str) -> Penalty | None:
    """Return the penalty that a passage states; None if it states none.

    >>> read_penalty("判处拘役五个月，缓刑六个月，并处罚金人民币1.5万元")
    Penalty(kind='detention', months=5, probation_months=6, fine=15000)
    """
    fine = _fine(text)
    if "死刑" in text:
        suspended = re.search("死刑.{0,6}缓", text) is not None
        return Penalty("death-suspended" if suspended else "death", fine=fine)
    if "无期徒刑" in text:
        return Penalty("life", fine=fine)
    for kind, pattern in _TERMS:
        months = next((length for found in pattern.finditer(text) if (length := _months(found))), None)
        if months is not None:
            probation = next((n for found in _PROBATION.finditer(text) if (n := _months(found))), None)
            return Penalty(kind, months, probation, fine)
    if fine is not None:
        return Penalty("fine", fine=fine)
    return Penalty("exempt") if _EXEMPT.search(text) else None


def heaviest(penalties: Iterable[Penalty | None]) -> Penalty | None:
    """Return the heaviest penalty by kind, then length, then fine; None if there is none."""
    return min((penalty for penalty in penalties if penalty), key=_lightness, default=None)


def _lightness(penalty: Penalty) -> tuple[int, int, bool, int]:
    suspended = penalty.probation_months is not None
    kind = KINDS.index(penalty.kind) if penalty.kind in KINDS else len(KINDS)
    return kind, -(penalty.months or 0), suspended, -(penalty.fine or 0)


def _months(match: re.Match[str]) -> int | None:
    years, half, months, half_year = match.groups()
    total = 12 * chinese_number(years) if years else 0
    total += chinese_number(months) if months else 0
    return total + 6 * bool(half) + 6 * bool(half_year) or None


def _fine(text: str) -> int | None:
    for match in _FINE.finditer(text):
        amount = _yuan(match[1].translate(_WIDE).strip("."))
        if amount and amount <= LARGEST:
            return amount
    return None


def _yuan(written: str) -> int | None:
    if figure := _FIGURE.fullmatch(written):
        return round(float(figure[1]) * {"": 1, "万": 10_000, "亿": 100_000_000}[figure[2]])
    try:
        return chinese_number(written)
    except ValueError:
        return None
