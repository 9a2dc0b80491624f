"""Filters of a search, such as `charge=盗窃罪`, `date>=2015-01` or `months<36`: parsing, and conditions in SQL."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from lexgear.corpus.extraction.factors.find import factor_names
from lexgear.corpus.field_values import is_date
from lexgear.errors import ErrorCode, InputError
from lexgear.files import has_surrogate

COLUMNS = ("court", "level", "region", "date", "penalty", "months")
"""Names with one value per document."""
IN_FORCE = "in_force"
"""Name of the filter by a day on which a statutory article was in force; documents without dates pass it."""
LISTS = {"charge": "charges", "article": "articles", "factor": "factors"}
"""Names with several values per document, and the table of each."""
ORDERED = {"date", "months"}
"""Names that can be compared with < and > too."""
_FILTER = re.compile(r"\s*(\w+)\s*(<=|>=|!=|=|<|>)\s*(.+?)\s*")
_ARTICLE_NUMBER = re.compile(r"\d+(-\d+)?")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")


class Filter(NamedTuple):
    """One condition on documents."""

    name: str
    operator: str
    value: str

    @property
    def condition(self) -> str:
        """SQL condition on the table `documents AS d`, with a placeholder for the value."""
        name, operator, value = self
        if name in LISTS:
            inside = f"SELECT position FROM {LISTS[name]} WHERE {name} = ?"
            return f"d.position {'IN' if operator == '=' else 'NOT IN'} ({inside})"
        if name == IN_FORCE:
            return "? BETWEEN d.in_force_from AND coalesce(nullif(d.in_force_until, ''), '9999')"
        if name == "months":
            return f"d.months {operator} CAST(? AS INTEGER)"
        if name == "date":  # compared to the precision given: date<=2015 includes all of 2015
            return f"d.date <> '' AND substr(d.date, 1, {len(value)}) {operator} ?"
        return f"d.{name} <> '' AND d.{name} {operator} ?"


def in_force_on(day: date | str | None) -> tuple[str, ...]:
    """Return the filter that leaves out statutory articles not in force on a day; without a day, none.

    >>> in_force_on("2019-03-05"), in_force_on(None)
    (('in_force=2019-03-05',), ())
    """
    return (f"{IN_FORCE}={day}",) if day is not None else ()


def parse_filter(text: str) -> Filter:
    """Return the filter that a text describes; raise `InputError` if it makes no sense."""
    names = (*LISTS, *COLUMNS, IN_FORCE)
    match = _FILTER.fullmatch(text)
    if match is None or match[1] not in names or has_surrogate(text):
        raise _invalid(text, "cannot be read", f"write NAME=VALUE with NAME one of {', '.join(names)}")
    name, operator, value = match.groups()
    if name not in ORDERED and operator not in {"=", "!="}:
        raise _invalid(
            text, f"{name} can be compared with = and != only", f"< and > are for {' and '.join(sorted(ORDERED))}"
        )
    if name == IN_FORCE and (operator != "=" or not is_date(value)):
        raise _invalid(text, "in_force needs = and a date", "write in_force=YYYY-MM-DD")
    if name == "months" and not (value.isdecimal() and len(value) < 10):
        raise _invalid(text, "months is a whole number", "such as months<36")
    if name == "date" and not _is_date(value):
        raise _invalid(text, "there is no such date", "write YYYY, YYYY-MM or YYYY-MM-DD")
    if name == "factor" and value not in factor_names():
        raise _invalid(text, "there is no such factor", f"factors: {', '.join(factor_names())}")
    if name == "article" and _ARTICLE_NUMBER.fullmatch(value):
        value = f"刑法{value}"
    return Filter(name, operator, value)


def _invalid(text: str, problem: str, remedy: str) -> InputError:
    return InputError(f"filter {text!r}: {problem}", code=ErrorCode.INVALID_FILTER, remedy=remedy, filter=text)


def _is_date(text: str) -> bool:
    try:
        return _DATE.fullmatch(text) is not None and bool(date.fromisoformat(f"{text}-01-01"[:10]))
    except ValueError:
        return False
