"""Files of plain arrays: no pickle, strings as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.errors import InputError


def packed(names: Sequence[str]) -> NDArray[np.uint8]:
    """Strings as one array of bytes, a line each: no pickle, and no room lost to the longest one."""
    return np.frombuffer("\n".join(names).encode("utf-8", "surrogatepass"), dtype=np.uint8)


def unpacked(array: NDArray[np.uint8]) -> list[str]:
    """The strings that `packed` packed."""
    return array.tobytes().decode("utf-8", "surrogatepass").split("\n") if array.size else []


def read_arrays(path: Path, needed: Sequence[str]) -> dict[str, NDArray[Any]]:
    """The arrays of an `.npz` file, those that are needed among them."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = dict(stored)
    except FileNotFoundError as error:
        raise InputError("no such file", file=path) from error
    except Exception as error:
        raise InputError("not a readable array file", file=path, remedy="run lexgear check") from error
    if missing := [name for name in needed if name not in arrays]:
        raise InputError(f"it has no array {missing[0]!r}", file=path, remedy="build the index again")
    return arrays
