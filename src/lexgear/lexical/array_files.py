"""Array files (`.npz`) without pickle; strings are stored as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.errors import ErrorCode, InputError


def pack_strings(names: Sequence[str]) -> NDArray[np.uint8]:
    """Return strings as one array of bytes, one per line: needs no pickle and no padding."""
    return np.frombuffer("\n".join(names).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def unpack_strings(array: NDArray[np.uint8]) -> list[str]:
    """Return the strings packed by `pack_strings`."""
    return array.tobytes().decode("utf-8", "surrogatepass").split("\n") if array.size else []


def read_arrays(path: Path, needed: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the arrays of an `.npz` file; raise an InputError if one of the `needed` arrays is missing."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = dict(stored)
    except FileNotFoundError as error:
        raise InputError("no such file", code=ErrorCode.FILE_MISSING, file=path) from error
    except Exception as error:
        remedy = "check the index, and build it again if it is damaged"
        raise InputError("unreadable array file", code=ErrorCode.INDEX_DAMAGED, file=path, remedy=remedy) from error
    if missing := [name for name in needed if name not in arrays]:
        problem = f"the array {missing[0]!r} is missing"
        raise InputError(problem, code=ErrorCode.INDEX_DAMAGED, file=path, remedy="build the index again")
    return arrays
