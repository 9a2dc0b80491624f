"""Check of the sizes of a model that were read from a file."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

MAX_SIZE, MAX_LAYERS = 1 << 24, 1000
"""Above the sizes of any encoder: a million layers would be built one by one."""
_KINDS: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,), "str": (str,)}


def check_sizes(shape: Any) -> None:
    """Raise `ValueError` if a field of a dataclass of sizes has another type than it should, or is out of range.

    >>> from lexgear.model.t5 import T5Shape
    >>> check_sizes(T5Shape(vocabulary=100, dropout=float("nan")))
    Traceback (most recent call last):
    ValueError: the size 'dropout' is nan
    """
    for one in fields(shape):
        value, kinds = getattr(shape, one.name), _KINDS.get(str(one.type), ())
        fits = not kinds or (isinstance(value, kinds) and isinstance(value, bool) == (one.type == "bool"))
        if fits and one.type == "int":
            fits = 0 <= value <= (MAX_LAYERS if one.name.endswith("layers") else MAX_SIZE)
        elif fits and one.type == "float":
            fits = 0 <= value < 1
        if not fits:
            raise ValueError(f"the size {one.name!r} is {value!r}")
