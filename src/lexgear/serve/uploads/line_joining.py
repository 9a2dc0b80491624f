"""Joining of the lines of printed pages into running text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from unicodedata import east_asian_width

_FULL = 0.85
"""Share of the text width from which a line counts as wrapped."""
_NARROWEST = 20
"""Minimum width in columns; narrower lines are taken for a list."""
_ENDS = "。！？；：!?;:"
"""Characters after which a line may end a paragraph."""
_LONG_WORD = 30
"""Length of a checksum or an address at the end of a line; the next line starts a new paragraph."""
_PRINTABLE = "".join(map(chr, range(ord("!"), ord("~") + 1)))
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_WIDE_SIGN = re.compile(f"[{_WIDE}]")
_LOOSE = re.compile(rf"(?<=[{_WIDE}])[ \u00a0]+(?=[0-9])|(?<=[0-9])[ \u00a0]+(?=[{_WIDE}])")
"""Space between digits and Chinese characters, as in 2020 年 2 月."""
_NUMBER = re.compile(
    r"[-–—·\s]{0,8}(?:第\s{0,2})?\d{1,5}\s{0,2}页?(?:\s{0,2}[，,/]?\s{0,2}(?:共\s{0,2})?\d{1,5}\s{0,2}页?)?[-–—·\s]{0,8}"
    r"|page\s{1,2}\d{1,5}(?:\s{0,2}(?:of|sur|/)\s{0,2}\d{1,5})?",
    re.IGNORECASE,
)
"""Number of a page. Every repetition is bounded: without bounds, 700 characters took 48 seconds."""
_EDGE = 2
"""Number of lines at either end of a page in which its number is looked for."""


def join_lines(pages: Sequence[str]) -> str:
    r"""Return the text of pages without page numbers.

    >>> join_lines(["被告人深夜翻墙进入商店，\n拿走现金五千余元，次日在\n- 1 -", "家中被抓获。\n如实供述。"])
    '被告人深夜翻墙进入商店，拿走现金五千余元，次日在家中被抓获。\n如实供述。'
    """
    lines = [line for page in pages for line in _lines(page)]
    pieces = [line for line, _ in lines[:1]]
    for (line, is_wrapped), (following, _) in pairwise(lines):
        pieces += [_separator(line, following) if is_wrapped and following else "\n", following]
    return "".join(pieces)


def _lines(page: str) -> list[tuple[str, bool]]:
    """Return the lines of a page, each with a flag for wrapped lines."""
    lines = "\n".join(map(_tight, page.splitlines())).strip("\n").split("\n")
    if len(lines) > 1:
        inside = range(_EDGE, len(lines) - _EDGE)
        kept = [line for at, line in enumerate(lines) if at in inside or not _NUMBER.fullmatch(line)]
        lines = "\n".join(kept).strip("\n").split("\n")
    width = _text_width(lines)
    return [(line, width >= _NARROWEST and _width(line) >= _FULL * width and not _ended(line)) for line in lines]


def _tight(line: str) -> str:
    return re.sub("[ \u00a0]{2,}", " ", _LOOSE.sub("", line)).strip()


def _text_width(lines: Sequence[str]) -> int:
    """Return the largest width that two lines nearly have; a single wide line may be a long word."""
    widths = sorted(map(_width, lines), reverse=True)
    return next((wide for wide, narrower in pairwise(widths) if narrower >= 0.9 * wide), widths[0])


def _width(line: str) -> int:
    """Return the width in columns; a Chinese character takes two."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in line)


def _ended(line: str) -> bool:
    return not line or line[-1] in _ENDS or len(line) - len(line.rstrip(_PRINTABLE)) >= _LONG_WORD


def _separator(line: str, following: str) -> str:
    """Return the separator of two parts of a sentence: none in Chinese, a space otherwise."""
    return "" if _WIDE_SIGN.match(line[-1]) or _WIDE_SIGN.match(following) else " "
