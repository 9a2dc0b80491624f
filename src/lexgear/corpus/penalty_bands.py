"""Penalty bands: terms in brackets of months, and kinds of penalties without a term."""

from __future__ import annotations

import re

ENDS = (6, 12, 24, 36, 60, 84, 120, 180)
"""Upper ends in months, inclusive; most are limits of the sentencing ranges of the Criminal Law."""
_BAND = re.compile(r"([0-9]{1,4})-([0-9]{1,4})?")


def band_of_months(kind: str, months: int | None) -> str:
    """Return the band of a penalty by its kind and its term: `12-24` is more than 12 and at most 24 months.

    >>> band_of_months("imprisonment", 18), band_of_months("imprisonment", 240), band_of_months("life", None)
    ('12-24', '180-', 'life')
    """
    if not months:
        return kind
    for above, to in zip((0, *ENDS), ENDS, strict=False):
        if months <= to:
            return f"{above}-{to}"
    return f"{ENDS[-1]}-"


def months_of_band(band: str) -> tuple[int, int | None] | None:
    """Return the bounds of a band of terms, the lower one exclusive; None if the band is a kind of penalty.

    >>> months_of_band("12-24"), months_of_band("180-"), months_of_band("life")
    ((12, 24), (180, None), None)
    """
    match = _BAND.fullmatch(band)
    return (int(match[1]), int(match[2]) if match[2] else None) if match else None
