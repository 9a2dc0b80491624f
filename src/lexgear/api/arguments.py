"""Checks of the arguments that users of the library pass."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from lexgear.corpus.records import Query
from lexgear.errors import ErrorCode, InputError

T = TypeVar("T")


def check_k(k: int) -> None:
    """Raise `InputError` unless k is a whole number from 1."""
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise InputError(
            f"k is {k!r}", code=ErrorCode.INVALID_ARGUMENT, remedy="give a whole number from 1", name="k", value=k
        )


def check_text(text: str) -> None:
    """Raise `InputError` unless a text is a string."""
    if not isinstance(text, str):
        raise InputError(
            f"the text is {_an(text)}", code=ErrorCode.INVALID_ARGUMENT, remedy="give one string", name="text"
        )


def listed(values: Collection[T], name: str) -> list[T]:
    """Return several values as a list; raise `InputError` for a single string in place of a list of strings."""
    if isinstance(values, str):
        raise InputError(
            f"{name} is one string", code=ErrorCode.INVALID_ARGUMENT, remedy="give a list of strings", name=name
        )
    return list(values)


def to_query(query: str | Query) -> Query:
    """Return a text as a query; queries stay as they are."""
    if isinstance(query, Query):
        return query
    check_text(query)
    return Query("", query)


def _an(value: object) -> str:
    return f"of type {type(value).__name__}"
