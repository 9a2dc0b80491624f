"""Filters of a search, such as `charge=盗窃罪|抢劫罪` or `date>=2015-01`: parsing, and conditions in SQL."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from lexgear.corpus.authority import AUTHORITIES, authority_code
from lexgear.corpus.extraction.factors.find import factor_names
from lexgear.corpus.extraction.penalties import KINDS
from lexgear.corpus.field_values import is_date
from lexgear.corpus.penalty_bands import months_of_band
from lexgear.errors import ErrorCode, InputError
from lexgear.files import has_surrogate

COLUMNS = ("court", "level", "region", "date", "penalty", "months", "authority")
"""Names with one value per document."""
LISTS = {"charge": "charges", "article": "articles", "factor": "factors"}
"""Names with several values per document, and the table of each."""
BAND = "band"
"""Penalty band, made of `penalty` and `months`."""
COURTS = "court_above"
"""A court: documents of this court and of those above it."""
IN_FORCE = "in_force"
"""Name of the filter by a day on which a statutory article was in force; documents without dates pass it."""
TEXT = "text"
"""Words that the document contains."""
ORDERED = {"date", "months"}
"""Names that can be compared with < and > too."""
OR = "|"
"""Separator of values of which any may hold."""
_FILTER = re.compile(r"\s*(\w+)\s*(<=|>=|!=|=|<|>)\s*(.+?)\s*", re.DOTALL)
_ARTICLE_NUMBER = re.compile(r"\d+(-\d+)?")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")


class Filter(NamedTuple):
    """One condition on documents: any of the values, or with `!=` none of them."""

    name: str
    operator: str
    values: tuple[str, ...]

    @property
    def in_sql(self) -> bool:
        """True if columns of the catalogue decide the filter; False if courts are compared or texts are read."""
        return self.name not in {TEXT, COURTS}

    @property
    def condition(self) -> str:
        """SQL condition on the table `documents AS d`, with the placeholders that `parameters` fill."""
        joint = " AND " if self.operator == "!=" else " OR "
        return f"({joint.join(self._condition(value) for value in self.values)})"

    @property
    def parameters(self) -> list[str | int]:
        """Values of the placeholders in the condition."""
        found: list[str | int] = []
        for value in self.values:
            bounds = months_of_band(value) if self.name == BAND else None
            found += [value] if bounds is None else [bound for bound in bounds if bound is not None]
        return found

    def _condition(self, value: str) -> str:
        name, operator = self.name, self.operator
        if name in LISTS:
            inside = f"SELECT position FROM {LISTS[name]} WHERE {name} = ?"
            return f"d.position {'IN' if operator == '=' else 'NOT IN'} ({inside})"
        if name == BAND:
            bounds = months_of_band(value)
            inside = "d.penalty = ? AND coalesce(d.months, 0) = 0"
            if bounds:
                inside = "d.months > ? AND d.months <= ?" if bounds[1] is not None else "d.months > ?"
            return f"({inside})" if operator == "=" else f"(d.penalty <> '' AND NOT coalesce({inside}, 0))"
        if name == IN_FORCE:
            return "(? BETWEEN d.in_force_from AND coalesce(nullif(d.in_force_until, ''), '9999'))"
        if name == "months":
            return f"d.months {operator} CAST(? AS INTEGER)"
        if name == "date":  # compared to the precision given: date<=2015 includes all of 2015
            known = f"substr(d.date, 1, {len(value)})" if operator in {"=", "!="} else "d.date"
            end = "? || '~'" if operator in {"<=", ">"} else "?"  # after all days of a month or a year
            return f"(d.date <> '' AND {known} {operator} {end})"
        return f"(d.{name} <> '' AND d.{name} {operator} ?)"


def in_force_on(day: date | str | None) -> tuple[str, ...]:
    """Return the filter that leaves out statutory articles not in force on a day; without a day, none.

    >>> in_force_on("2019-03-05"), in_force_on(None)
    (('in_force=2019-03-05',), ())
    """
    return (f"{IN_FORCE}={day}",) if day is not None else ()


def parse_filter(text: str) -> Filter:
    """Return the filter that a text describes; raise `InputError` if it makes no sense."""
    names = (*LISTS, *COLUMNS, BAND, COURTS, IN_FORCE, TEXT)
    match = _FILTER.fullmatch(text)
    if match is None or match[1] not in names or has_surrogate(text):
        raise _invalid(text, "cannot be read", f"write NAME=VALUE with NAME one of {', '.join(names)}")
    name, operator, written = match.groups()
    if name not in ORDERED and operator not in {"=", "!="}:
        raise _invalid(
            text, f"{name} can be compared with = and != only", f"< and > are for {' and '.join(sorted(ORDERED))}"
        )
    if name == IN_FORCE and (operator != "=" or not is_date(written)):
        raise _invalid(text, "in_force needs = and a date", "write in_force=YYYY-MM-DD")
    values = tuple(dict.fromkeys(value.strip() for value in written.split(OR) if value.strip()))
    if not values or (len(values) > 1 and operator not in {"=", "!="}):
        raise _invalid(text, "has no value, or several", "write NAME=VALUE, or NAME=VALUE|VALUE for either")
    return Filter(name, operator, tuple(_checked(text, name, value) for value in values))


def _checked(text: str, name: str, value: str) -> str:
    """Return a value as the catalogue has it; raise `InputError` if there is no such value."""
    if name == "months" and not (value.isdecimal() and len(value) < 10):
        raise _invalid(text, "months is a whole number", "such as months<36")
    if name == "date" and not _is_date(value):
        raise _invalid(text, "there is no such date", "write YYYY, YYYY-MM or YYYY-MM-DD")
    if name == "factor" and value not in factor_names():
        raise _invalid(text, "there is no such factor", f"factors: {', '.join(factor_names())}")
    if name == BAND and months_of_band(value) is None and value not in KINDS:
        raise _invalid(text, "there is no such band", f"write 12-24 for months, or one of {', '.join(KINDS)}")
    if name == "authority":
        if not (code := authority_code(value)):
            raise _invalid(text, "there is no such authority", f"authorities: {', '.join(AUTHORITIES)}")
        return code
    return f"刑法{value}" if name == "article" and _ARTICLE_NUMBER.fullmatch(value) else value


def _invalid(text: str, problem: str, remedy: str) -> InputError:
    return InputError(f"filter {text!r}: {problem}", code=ErrorCode.INVALID_FILTER, remedy=remedy, filter=text)


def _is_date(text: str) -> bool:
    try:
        return _DATE.fullmatch(text) is not None and bool(date.fromisoformat(f"{text}-01-01"[:10]))
    except ValueError:
        return False
