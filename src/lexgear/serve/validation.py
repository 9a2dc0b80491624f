"""Limits of requests: length of texts, number of hits and filters."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import groupby

from lexgear.errors import ErrorCode
from lexgear.serve.api.errors import ApiError, FieldError
from lexgear.serve.settings import Limits

MAX_MARKS = 30
"""Longest run of combining marks, as in Unicode's stream-safe format. Python sorts a run in quadratic time: 16,000
marks on one letter took half a second; 100,000 would block the service for twenty."""
_HIDDEN_MARKS = frozenset("\u0f73\u0f75\u0f81")
"""Letters by category that normalise to combining marks only."""


def check_text(text: str, limit: int, field: str = "text") -> str:
    """Return the text, or raise ApiError if it is too long, also after normalisation (NFKC)."""
    if len(text) > limit:
        raise _too_long(field, f"{len(text):,} characters; the limit is {limit:,}", len(text), limit)
    if text.isascii():
        return text
    if any(is_mark and sum(1 for _ in run) > MAX_MARKS for is_mark, run in groupby(text, _is_mark)):
        problem = f"more than {MAX_MARKS} combining marks in a row"
        raise ApiError(422, where=[FieldError(f"body.{field}", "too_many_marks", problem, {"limit": MAX_MARKS})])
    length = len(unicodedata.normalize("NFKC", text))
    if length > limit:
        raise _too_long(field, f"{length:,} characters after normalisation; the limit is {limit:,}", length, limit)
    return text


def check_search(limits: Limits, *, k: int, offset: int = 0, filters: Sequence[str] = (), prefix: str = "") -> None:
    """Raise ApiError if a search exceeds the limits of the service. `prefix` is the path of the search in the body."""
    longest = max(map(len, filters), default=0)
    for field, value, limit, code, problem in (
        ("k", k, limits.k, "less_than_equal", f"at most {limits.k}"),
        ("offset", offset + k, limits.reach, "less_than_equal", f"offset and k together at most {limits.reach}"),
        ("filters", len(filters), limits.filters, "too_long", f"at most {limits.filters}"),
        ("filters", longest, limits.filter_characters, "string_too_long", "a filter is too long"),
    ):
        if value > limit:
            raise ApiError(422, where=[FieldError(f"body.{prefix}{field}", code, problem, {"limit": limit})])


def _is_mark(character: str) -> bool:
    return unicodedata.combining(character) > 0 or character in _HIDDEN_MARKS


def _too_long(field: str, problem: str, length: int, limit: int) -> ApiError:
    parameters = {"length": length, "limit": limit}
    return ApiError(422, where=[FieldError(f"body.{field}", ErrorCode.TEXT_TOO_LONG, problem, parameters)])
