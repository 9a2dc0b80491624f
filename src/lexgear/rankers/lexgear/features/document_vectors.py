"""Vectors of documents in several parts, and their cosines with a vector."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.errors import ErrorCode, InputError

Vectors = NDArray[np.float32]
ROWS_PER_BLOCK = 1 << 14
"""Documents whose vectors are widened and checked at once."""
MAX_VALUE = 1.01
"""Largest value of a unit vector, rounded to half precision."""


class DocumentVectors:
    """One unit vector per document, stored in half precision, widened and checked when it is first needed."""

    def __init__(self, parts: Sequence[NDArray[Any]]) -> None:
        self.parts = tuple(parts)

    @cached_property
    def whole(self) -> Vectors:
        """The vectors of all parts, one row per document."""
        if len(self.parts) == 1 and self.parts[0].dtype == np.float32:
            return self.parts[0]
        whole, end = np.empty(self.shape, np.float32), 0
        for part in self.parts:
            for first in range(0, len(part), ROWS_PER_BLOCK):
                read = part[first : first + ROWS_PER_BLOCK]
                start, end = end, end + len(read)
                whole[start:end] = read
                # Written so that a value that is not a number is too large as well.
                if not np.abs(whole[start:end]).max(initial=0) <= MAX_VALUE:
                    problem = "a vector of a document is longer than a unit vector"
                    raise InputError(problem, code=ErrorCode.INDEX_DAMAGED, remedy="build the index again")
        return whole

    @property
    def shape(self) -> tuple[int, int]:
        """Number of documents and of dimensions."""
        return sum(map(len, self.parts)), self.parts[0].shape[1]

    def cosines(self, vector: NDArray[Any]) -> NDArray[np.float64]:
        """Return the cosine of a unit vector with each document.

        Each row is summed by itself. A matrix product may sum the last rows in another order, so that a score would
        depend on the position of a document; it is also slower (21 ms for 200,000 × 300, this takes 12).
        """
        return np.asarray(np.einsum("ij,j->i", self.whole, vector.astype(np.float32)), dtype=np.float64)


def save_vectors(path: Path, vectors: NDArray[Any]) -> None:
    """Write vectors in half precision, to which they were rounded when they were made, as `numpy.save` does."""
    header = {"descr": "<f2", "fortran_order": False, "shape": vectors.shape}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for first in range(0, len(vectors), ROWS_PER_BLOCK):
            file.write(vectors[first : first + ROWS_PER_BLOCK].astype("<f2").tobytes())


def map_vectors(path: Path, count: int) -> NDArray[np.float16]:
    """Map the vectors of `count` documents."""
    try:
        found = np.load(path, mmap_mode="r" if path.stat().st_size > 4096 else None, allow_pickle=False)
    except FileNotFoundError as error:
        raise InputError("no such file", code=ErrorCode.FILE_MISSING, file=path) from error
    except Exception as error:
        remedy = "check the index, and build it again if it is damaged"
        raise InputError("unreadable array file", code=ErrorCode.INDEX_DAMAGED, file=path, remedy=remedy) from error
    if found.ndim != 2 or len(found) != count or found.dtype.kind != "f":
        problem = f"an array of shape {found.shape} for {count} documents"
        raise InputError(problem, code=ErrorCode.INDEX_DAMAGED, file=path, remedy="build the index again")
    return np.asarray(found)
