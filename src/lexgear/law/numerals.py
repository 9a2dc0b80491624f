"""Numbers in laws and judgments: 二百六十三, 第一百三十三条之一, ３年６个月, 壹万元."""

from __future__ import annotations

import re

_FIGURES = "零一二三四五六七八九"
DIGITS = {sign: value for value, sign in enumerate(_FIGURES)}
DIGITS |= {sign: value for value, sign in enumerate("〇壹贰叁肆伍陆柒捌玖")} | {"两": 2, "○": 0, "O": 0}
UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
MYRIADS = {"万": 10_000, "萬": 10_000, "亿": 100_000_000}

NUMERAL = "[零〇○O一二三四五六七八九十百千两0-9０-９]"
"""Character class of the numbers of articles, parts and terms."""


def chinese_number(text: str) -> int:
    """Return the value of a whole number in Chinese numerals, formal numerals or figures.

    >>> chinese_number("二百六十三"), chinese_number("一千二百六十"), chinese_number("１２"), chinese_number("二〇一八")
    (263, 1260, 12, 2018)
    """
    if text.isdecimal():
        return int(text)
    total = section = digit = 0
    previous_was_digit = False
    for sign in text:
        if sign in DIGITS or sign.isdecimal():
            value = DIGITS[sign] if sign in DIGITS else int(sign)
            digit = digit * 10 + value if previous_was_digit else value
            previous_was_digit = True
        elif sign in UNITS:
            section += (digit or 1) * UNITS[sign]
            digit, previous_was_digit = 0, False
        elif sign in MYRIADS:
            # Larger units are kept (the 亿 of 三亿十万), smaller ones multiplied (the 万 of 一万亿).
            below = total % MYRIADS[sign]
            counted = below + section + digit
            total = total - below + counted * MYRIADS[sign] if counted else (total or 1) * MYRIADS[sign]
            section = digit = 0
            previous_was_digit = False
        else:
            raise ValueError(f"not a Chinese number: {text!r}")
    return total + section + digit


def chinese_numeral(number: int) -> str:
    """Return a whole number below 10^8 in Chinese numerals.

    >>> chinese_numeral(15), chinese_numeral(205), chinese_numeral(120_500)
    ('十五', '二百零五', '十二万零五百')
    """
    if number >= 10_000:
        rest = number % 10_000
        gap = "零" if 0 < rest < 1000 else ""
        return f"{chinese_numeral(number // 10_000)}万{gap}{chinese_numeral(rest) if rest else ''}"
    text, zero = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // unit % 10
        if digit:
            text += ("零" if zero and text else "") + _FIGURES[digit] + name
        zero = not digit
    return (text.removeprefix("一") if 10 <= number < 20 else text) or "零"


ARTICLE = re.compile(rf"第\s*({NUMERAL}+)\s*条(?:\s*之\s*([一二三四五六七八九十]+))?")
"""Pattern of `第一百三十三条之一`: the number, and the number of the inserted article if there is one."""


def article_number(match: re.Match[str]) -> str:
    """Return the number of an article matched by `ARTICLE` in figures: `133-1` for 第一百三十三条之一."""
    number = str(chinese_number(match[1]))
    return f"{number}-{chinese_number(match[2])}" if match[2] else number
