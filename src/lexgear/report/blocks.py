"""Blocks of a printed report. The DOCX, HTML and Markdown writers decide how a block looks, not what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_SURROGATES = re.compile("[\ud800-\udfff]")

LONG = 500
"""Maximum number of characters of a table or row that is kept on one page."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Heading: level 1 for a part of the report, level 2 for a case."""

    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Paragraph; notes are set smaller."""

    text: str
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Table of names and values, one pair per row."""

    rows: tuple[tuple[str, str], ...]

    @property
    def is_long(self) -> bool:
        """True if it may be split across pages."""
        return sum(len(value) for _, value in self.rows) > LONG


@dataclass(frozen=True, slots=True)
class Group:
    """Group of table rows, with a title row unless the title is empty."""

    title: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Table with a header and groups of rows."""

    header: tuple[str, ...]
    groups: tuple[Group, ...]
    widths: tuple[int, ...]
    """Column widths in percent."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Quotation from a judgment, and its source."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Signature:
    """Signature lines, one per label."""

    labels: tuple[str, ...]


Block = Heading | Paragraph | Pairs | Table | Quotation | Signature


@dataclass(frozen=True, slots=True)
class Printed:
    """Report as blocks, ready to be written."""

    title: str
    subtitle: str
    language: str
    page: tuple[str, str, str]
    """Words before, between and after the page number and the number of pages."""
    blocks: tuple[Block, ...]


def printable(text: str) -> str:
    """Replace control characters, invisible formatting characters and lone surrogates by �, and normalise line ends.

    One for one, so that offsets stay valid. JSON is written without this replacement.

    >>> printable("甲\\x1b[31m乙\\u202e")
    '甲�[31m乙�'
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which an index can hold but a file in UTF-8 cannot."""
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
