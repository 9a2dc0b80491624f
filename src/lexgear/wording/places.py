"""Names of places of the law in the language of the reader; the words are in `wording/law`."""

from __future__ import annotations

from collections.abc import Iterable

from lexgear.law.tree import LawNode
from lexgear.wording.translations import texts

_DIGITS = "〇一二三四五六七八九"


def place_name(node: LawNode, language: str) -> str:
    """Return the name of a place: 第五章 侵犯财产罪, 第133条之一, Titre 2 Du voisinage, or the name of a charge."""
    if node.kind in {"law", "charge"}:
        return node.title or node.number
    words = texts("law", language)
    number, _, sub = node.number.partition("-") if node.kind == "article" else (node.number, "", "")
    key = f"{node.kind}_sub" if sub else node.kind
    if key not in words:
        return f"{node.number} {node.title}".strip()
    if language == "zh":
        number, sub = number if node.kind == "article" else chinese_numeral(number), chinese_numeral(sub)
    named = words(key, number=number, sub=sub) if sub else words(key, number=number)
    return f"{named} {node.title}".strip()


def path_name(path: Iterable[LawNode], language: str) -> str:
    """Return a path down the law on one line."""
    return " › ".join(place_name(node, language) for node in path)


def chinese_numeral(number: str) -> str:
    """Return a number below 100 in Chinese numerals; other numbers are returned unchanged.

    >>> [chinese_numeral(number) for number in ("5", "10", "12", "30", "47", "II")]
    ['五', '十', '十二', '三十', '四十七', 'II']
    """
    if not (number.isascii() and number.isdecimal()) or not 0 < int(number) < 100 or len(number) > 2:
        return number
    tens, ones = divmod(int(number), 10)
    head = "" if tens == 0 else "十" if tens == 1 else f"{_DIGITS[tens]}十"
    return head + (_DIGITS[ones] if ones else "")
