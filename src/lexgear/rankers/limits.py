"""What a setting may be: checked when settings are made, wherever they come from."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lexgear.errors import InputError


def within(name: str, value: float, low: float, high: float = math.inf) -> None:
    """Refuses a setting that is no number between two limits.

    >>> within("b", 7, 0, 1)
    Traceback (most recent call last):
    lexgear.errors.InputError: setting b: 7 is out of range (from 0 to 1)
    """
    if not (math.isfinite(value) and low <= value <= high):
        limits = f"{low} or more" if high == math.inf else f"from {low} to {high}"
        raise InputError(f"setting {name}: {value} is out of range", remedy=limits)


def one_of(name: str, value: str, choices: Sequence[str]) -> None:
    """Refuses a setting that is none of the choices.

    >>> one_of("search", "depth", ("exact", "beam"))
    Traceback (most recent call last):
    lexgear.errors.InputError: setting search: 'depth' (one of exact, beam)
    """
    if value not in choices:
        raise InputError(f"setting {name}: {value!r}", remedy=f"one of {', '.join(choices)}")
