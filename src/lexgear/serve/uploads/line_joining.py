"""The lines of printed pages made into running text again: what was broken for want of room is joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from unicodedata import east_asian_width

_FULL = 0.85
"""Part of the width of a page's text from which a line was broken for want of room."""
_NARROWEST = 20
"""Columns that a text is wide; below it lines are a list."""
_ENDS = "。！？；：!?;:"
"""After these a line may have ended by itself."""
_LONG_WORD = re.compile(r"[!-~]{30,}$")
"""A checksum or an address: whatever it leads to begins anew."""
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_WIDE_SIGN = re.compile(f"[{_WIDE}]")
_LOOSE = re.compile(rf"(?<=[{_WIDE}])[ \u00a0]+(?=[0-9])|(?<=[0-9])[ \u00a0]+(?=[{_WIDE}])")
"""Room that a printer leaves between figures and characters: 2020 年 2 月."""
_NUMBER = re.compile(
    r"[-–—·\s]*(?:第\s*)?\d+\s*(?:页)?(?:\s*[，,/]?\s*(?:共\s*)?\d+\s*(?:页)?)?[-–—·\s]*"
    r"|page\s+\d+(?:\s*(?:of|sur|/)\s*\d+)?",
    re.IGNORECASE,
)
_EDGE = 2
"""Lines at either end of a page among which its number stands."""


def join_lines(pages: Sequence[str]) -> str:
    r"""The text of pages, without their numbers.

    >>> join_lines(["被告人深夜翻墙进入商店，\n拿走现金五千余元，次日在\n- 1 -", "家中被抓获。\n如实供述。"])
    '被告人深夜翻墙进入商店，拿走现金五千余元，次日在家中被抓获。\n如实供述。'
    """
    lines = [line for page in pages for line in _lines(page)]
    pieces = [line for line, _ in lines[:1]]
    for (line, goes_on), (following, _) in pairwise(lines):
        pieces += [_joint(line, following) if goes_on and following else "\n", following]
    return "".join(pieces)


def _lines(page: str) -> list[tuple[str, bool]]:
    """The lines of a page, each with whether it may go on in the next."""
    lines = "\n".join(map(_tight, page.splitlines())).strip("\n").split("\n")
    if len(lines) > 1:
        inside = range(_EDGE, len(lines) - _EDGE)
        kept = [line for at, line in enumerate(lines) if at in inside or not _NUMBER.fullmatch(line)]
        lines = "\n".join(kept).strip("\n").split("\n")
    width = _width_of_text(lines)
    return [(line, width >= _NARROWEST and _width(line) >= _FULL * width and not _ended(line)) for line in lines]


def _tight(line: str) -> str:
    return re.sub("[ \u00a0]{2,}", " ", _LOOSE.sub("", line)).strip()


def _width_of_text(lines: Sequence[str]) -> int:
    """The widest that two lines have, or nearly: one alone may be a long word that stands out."""
    widths = sorted(map(_width, lines), reverse=True)
    return next((wide for wide, narrower in pairwise(widths) if narrower >= 0.9 * wide), widths[0])


def _width(line: str) -> int:
    """In columns: a character of Chinese takes two."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in line)


def _ended(line: str) -> bool:
    return not line or line[-1] in _ENDS or _LONG_WORD.search(line) is not None


def _joint(line: str, following: str) -> str:
    """Between two parts of a sentence: nothing in Chinese, a space elsewhere."""
    return "" if _WIDE_SIGN.match(line[-1]) or _WIDE_SIGN.match(following) else " "
