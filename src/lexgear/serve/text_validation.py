"""Which texts are read at all: those that stay within the limit, also once they are normalised."""

from __future__ import annotations

import unicodedata
from itertools import groupby

from lexgear.serve.api.errors import ApiError

MARKS = 30
"""In a row, as many as Unicode's stream-safe format allows. Python sorts a row of them in time that grows with its
square: 16,000 marks on one letter took half a second, 100,000 would take twenty and stop everybody else."""
TOO_LONG = "are read"
"""How it ends what is said of a text beyond the limit."""
_HIDDEN_MARKS = frozenset("\u0f73\u0f75\u0f81")
"""They count as letters, and normalised are nothing but marks."""


def check_text(text: str, most: int, field: str = "text") -> str:
    """The text itself; refused where reading it would take more than its length says."""
    if len(text) > most:
        raise _refused(field, f"{len(text):,} characters, at most {most:,} {TOO_LONG}")
    if text.isascii():
        return text
    if any(is_mark and sum(1 for _ in row) > MARKS for is_mark, row in groupby(text, _is_mark)):
        raise _refused(field, f"more than {MARKS} combining marks in a row")
    normal = len(unicodedata.normalize("NFKC", text))
    if normal > most:
        raise _refused(field, f"normalised it has {normal:,} characters, at most {most:,} {TOO_LONG}")
    return text


def _is_mark(sign: str) -> bool:
    return unicodedata.combining(sign) > 0 or sign in _HIDDEN_MARKS


def _refused(field: str, problem: str) -> ApiError:
    return ApiError(422, where=[(f"body.{field}", problem)])
