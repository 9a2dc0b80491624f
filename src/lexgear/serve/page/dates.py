"""Dates as people write them: 2019-03-12, 2019.3.12, 2019年3月12日 or 12/03/2019."""

from __future__ import annotations

import re

from lexgear.corpus.field_values import is_date

_DAY = r"[0-9]{4}[\-.\/年][0-9]{1,2}[\-.\/月][0-9]{1,2}日?|[0-9]{1,2}[\-.\/][0-9]{1,2}[\-.\/][0-9]{4}"
DAY_PATTERN = rf"\s*({_DAY})\s*"
"""Pattern of input fields for a day; browsers read it with the flag `v`."""
DATE_PATTERN = rf"\s*({_DAY}|[0-9]{{4}}([\-.\/年][0-9]{{1,2}})?[年月]?)\s*"
"""Pattern of input fields for a day, a month or a year."""
_YEAR_FIRST = re.compile(r"([0-9]{4})(?:[-./年]([0-9]{1,2})(?:[-./月]([0-9]{1,2})日?)?)?[年月]?")
_DAY_FIRST = re.compile(r"([0-9]{1,2})[-./]([0-9]{1,2})[-./]([0-9]{4})")


def read_date(written: str) -> str:
    """Return a date as `YYYY-MM-DD`, or as `YYYY` or `YYYY-MM` if no more is given; empty if there is no such date.

    >>> [read_date(one) for one in ("2019年3月12日", "2019.3", "12/03/2019", "2019", "2019-02-30", "spring")]
    ['2019-03-12', '2019-03', '2019-03-12', '2019', '', '']
    """
    written = written.strip()
    if found := _YEAR_FIRST.fullmatch(written):
        parts = [part for part in found.groups() if part]
    elif found := _DAY_FIRST.fullmatch(written):
        parts = list(reversed(found.groups()))
    else:
        return ""
    date = "-".join(part.zfill(2) for part in parts)
    return date if is_date(f"{date}-01-01"[:10]) else ""
