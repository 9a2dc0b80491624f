"""Contrasts: sentences with common words that say something else, by a negation, an amount, a role or an injury."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

from lexgear.law.numerals import chinese_number

RATIO = 3.0
"""Amounts of the same unit differ if one is at least this many times the other."""
_NEGATION = re.compile(
    "(?:不|未|没有|无|拒不|拒绝|并非|否认)(?:予|能|能够|曾|属于|构成|存在|是|具有|应认定|应当认定|能认定)*[^，。；：、]{0,3}$"
)
_NOT_NEGATING = re.compile(
    "(?:不仅|不但|不法|不明|不慎|不满|不服|不料|不久|未遂|未成年|无证|无故|无期|无视|非法|不特定)"
)
_AMOUNT = re.compile(
    r"((?<![0-9０-９])[0-9０-９][0-9０-９,，.．]{0,30}+|[一二三四五六七八九十百千万亿零两]{1,12})"
    r"\s{0,4}(亿|千万|百万|十万|万|千|百)?[余多]?\s{0,4}(元|克|千克|公斤|毫克|支|枚|人|次|起|吨|euros?)"
)
"""Every repetition is bounded: without bounds, 100,000 digits or spaces took hours."""
_SCALE = {"亿": 1e8, "千万": 1e7, "百万": 1e6, "十万": 1e5, "万": 1e4, "千": 1e3, "百": 1e2}
_SAME_UNIT = {"公斤": ("克", 1000.0), "千克": ("克", 1000.0), "毫克": ("克", 0.001), "euro": ("euros", 1.0)}
_ROLES = (("主犯", "从犯", "胁从犯"), ("自首", "坦白"), ("既遂", "未遂", "中止", "预备"))
_INJURIES = ("轻微伤", "轻伤", "重伤", "死亡")
_ACTOR = re.compile("^[^，。；]{0,20}?(被告人|被害人)")
_WIDE = str.maketrans("０１２３４５６７８９．", "0123456789.", ",，")


class Contrast(StrEnum):
    """In what two sentences differ although they have words in common."""

    NEGATION = "negation"
    """One denies what the other says."""
    AMOUNT = "amount"
    ROLE = "role"
    """Another person acts, or the role or stage of the offence is another one."""
    INJURY = "injury"


def contrast(left: str, right: str, words: Iterable[str]) -> Contrast | None:
    """Return in what two sentences with these common words differ; None if they do not.

    >>> contrast("被告人主动投案，构成自首。", "被告人不构成自首。", ["自首"])
    <Contrast.NEGATION: 'negation'>
    >>> contrast("窃得现金五千元。", "窃得现金80万元。", ["窃得", "现金"])
    <Contrast.AMOUNT: 'amount'>
    """
    if any(_denied(left, word) != _denied(right, word) for word in words if word in left and word in right):
        return Contrast.NEGATION
    if _other_role(left, right):
        return Contrast.ROLE
    if _other(_INJURIES, left, right):
        return Contrast.INJURY
    return Contrast.AMOUNT if _other_amount(left, right) else None


def _denied(sentence: str, word: str) -> bool:
    before = _NOT_NEGATING.sub("", sentence[: sentence.index(word)])
    return _NEGATION.search(before) is not None


def _other(names: tuple[str, ...], left: str, right: str) -> bool:
    """Return whether both sentences name one of these, and none in common."""
    ours, theirs = ({name for name in names if name in side} for side in (left, right))
    return bool(ours and theirs) and not ours & theirs


def _other_role(left: str, right: str) -> bool:
    actors = [match[1] if (match := _ACTOR.match(side)) else "" for side in (left, right)]
    return (all(actors) and actors[0] != actors[1]) or any(_other(roles, left, right) for roles in _ROLES)


def _other_amount(left: str, right: str) -> bool:
    """Return whether the largest amounts of a unit that both sentences state are far apart."""
    ours, theirs = (dict(sorted(_amounts(side))) for side in (left, right))
    for unit in ours.keys() & theirs.keys():
        low, high = sorted((ours[unit], theirs[unit]))
        if low > 0 and high >= RATIO * low:
            return True
    return False


def _amounts(sentence: str) -> Iterator[tuple[str, float]]:
    for number, scale, unit in _AMOUNT.findall(sentence):
        try:
            figures = number.translate(_WIDE).strip(".")
            value = float(figures) if figures[:1].isdigit() else float(chinese_number(number))
        except ValueError:
            continue
        base, factor = _SAME_UNIT.get(unit, (unit, 1.0))
        yield base, value * _SCALE.get(scale, 1.0) * factor
