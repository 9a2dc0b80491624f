"""Checks of arrays that were read from a file: kind, shape and range of values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.errors import ErrorCode, InputError

INTEGERS, FLOATS = "iu", "f"
"""Kinds of numbers, as numpy names them."""
BLOCK = 1 << 22
"""Values that are checked at once."""


def check_array(
    path: Path | None,
    name: str,
    array: NDArray[Any],
    kinds: str,
    shape: tuple[int, ...],
    least: float | None = None,
    most: float | None = None,
) -> None:
    """Raise `InputError` if an array has another kind or shape, or a value outside of a range.

    A length of −1 is any length. With a limit, values that are not numbers are refused as well.
    """
    fits = len(array.shape) == len(shape) and all(
        wanted in {-1, found} for wanted, found in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype.kind not in kinds:
        raise damaged_array(path, f"the array {name!r} has the type {array.dtype} and the shape {array.shape}")
    if not is_within(array, least, most):
        raise damaged_array(path, f"the array {name!r} has a value out of range")


def is_within(array: NDArray[Any], least: float | None, most: float | None) -> bool:
    """Return whether all values are in a range; a value that is not a number is in none."""
    for block in _blocks(array) if least is not None or most is not None else ():
        # Written so that a value that is not a number fails.
        if (least is not None and not block.min() >= least) or (most is not None and not block.max() <= most):
            return False
    return True


def damaged_array(path: Path | None, problem: str) -> InputError:
    """Return the error for an array that does not fit."""
    return InputError(problem, code=ErrorCode.INDEX_DAMAGED, file=path, remedy="build the index again")


def _blocks(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    rows = max(BLOCK // max(array[:1].size, 1), 1) if array.ndim else 1
    whole = np.atleast_1d(array)
    for first in range(0, len(whole), rows):
        if (block := whole[first : first + rows]).size:
            yield block
