"""What a printed report is made of. Writers of DOCX, HTML and Markdown know how a block looks, not what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_SURROGATES = re.compile("[\ud800-\udfff]")

LONG = 500
"""Characters that a table or a row may have and still be kept on one page."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 begins a part of the report, level 2 a case."""

    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; a note is set smaller."""

    text: str
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Names and values, one pair a row."""

    rows: tuple[tuple[str, str], ...]

    @property
    def is_long(self) -> bool:
        """Whether it may be broken across pages."""
        return sum(len(value) for _, value in self.rows) > LONG


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of a table under a line of their own; without a title they stand alone."""

    title: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a header, its rows in groups."""

    header: tuple[str, ...]
    groups: tuple[Group, ...]
    widths: tuple[int, ...]
    """Of the columns, in parts of a hundred."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a judgment, and below them their place and what they share with the query."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Signature:
    """Room to sign: one line a label."""

    labels: tuple[str, ...]


Block = Heading | Paragraph | Pairs | Table | Quotation | Signature


@dataclass(frozen=True, slots=True)
class Printed:
    """A report ready to be written in any format."""

    title: str
    subtitle: str
    language: str
    page: tuple[str, str, str]
    """What stands before, between and after the number of a page and the number of pages."""
    blocks: tuple[Block, ...]


def printable(text: str) -> str:
    """A text that any format can hold: � for control characters, invisible ones that turn or hide text, and halves.

    One for one, so that places stay; JSON alone holds them as they are. Line ends become one kind.

    >>> printable("甲\\x1b[31m乙\\u202e")
    '甲�[31m乙�'
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which an index can hold but a file in UTF-8 cannot."""
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
