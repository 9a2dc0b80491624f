"""Validation of the fields that searches filter by: court level, authority, dates, kind of penalty."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from lexgear.corpus.authority import AUTHORITIES, authority_code
from lexgear.corpus.datasets.reader import Record, Row
from lexgear.corpus.extraction.penalties import KINDS

LEVELS = ("supreme", "high", "intermediate", "basic", "special")
DATES = ("date", "in_force_from", "in_force_until")
_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


def drop_invalid_values(record: Record) -> Row:
    """Return the row of a record without its invalid values, each of which is listed as skipped."""
    row = dict(record.row)
    if (level := row.get("level")) and level not in LEVELS:
        record.skip(f"level {level!r} is not one of {', '.join(LEVELS)}")
        del row["level"]
    if written := row.get("authority"):
        code = authority_code(written) if isinstance(written, str) else ""
        if not code:
            record.skip(f"authority {written!r} is not one of {', '.join(AUTHORITIES)}")
        row["authority"] = code or None
    for name in DATES:
        if (day := row.get(name)) and not is_date(day):
            record.skip(f"{name} {day!r} is not a valid date of the form YYYY-MM-DD")
            del row[name]
    if isinstance(people := row.get("defendants"), list):
        row["defendants"] = [_with_known_penalties(person, record) for person in people]
    kept: Row = _with_known_penalty(row, record)
    return kept


def is_date(value: object) -> bool:
    """Return whether a value is a valid date of the form `YYYY-MM-DD`.

    >>> is_date("2024-02-29"), is_date("2023-02-29"), is_date("20240229"), is_date("yesterday")
    (True, False, False, False)
    """
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _with_known_penalties(person: Any, record: Record) -> Any:
    if isinstance(person, Mapping) and isinstance(counts := person.get("counts"), list):
        person = {**person, "counts": [_with_known_penalty(count, record) for count in counts]}
    return _with_known_penalty(person, record)


def _with_known_penalty(row: Any, record: Record) -> Any:
    penalty = row.get("penalty") if isinstance(row, Mapping) else None
    if not isinstance(penalty, Mapping) or penalty.get("kind") in KINDS:
        return row
    record.skip(f"penalty {penalty.get('kind')!r} is not one of {', '.join(KINDS)}")
    return {name: value for name, value in row.items() if name != "penalty"}
