"""Large arrays in temporary files that are mapped into memory, while a collection is read that does not fit into it.

The files have no name: the system removes them with the last array that uses them, also if the process is killed.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import prod
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lexgear.errors import ErrorCode, InputError

SPILLED_FROM = 1 << 20
"""Bytes of the smallest array that is kept in a file."""
_DIRECTORY: ContextVar[Path | None] = ContextVar("spill_directory", default=None)


@contextmanager
def spilling_to(directory: Path) -> Iterator[None]:
    """Let large arrays that are made within the block be files of a directory; they may outlive the block."""
    token = _DIRECTORY.set(directory)
    try:
        yield
    finally:
        _DIRECTORY.reset(token)


def new_array(shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Return a new array of zeros: in a file within `spilling_to` if it is large, otherwise in memory."""
    directory, kind = _DIRECTORY.get(), np.dtype(dtype)
    size = kind.itemsize * (shape if isinstance(shape, int) else prod(shape))
    if directory is None or size < SPILLED_FROM:
        return np.zeros(shape, kind)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=directory) as file:
            os.posix_fallocate(file.fileno(), 0, size)  # a full disk would end the process when a page is written
            return np.asarray(np.memmap(file, kind, "r+", 0, shape))
    except OSError as error:
        raise InputError(
            f"no temporary file of {size / 1e6:,.0f} MB can be written: {error.strerror or error}",
            code=ErrorCode.OUTPUT_UNWRITABLE,
            file=directory,
            remedy="free some disk space and try again",
        ) from error


def spilled(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array, moved to a file within `spilling_to` if it is large."""
    if _DIRECTORY.get() is None or array.nbytes < SPILLED_FROM:
        return array
    moved = new_array(array.shape, array.dtype)
    moved[:] = array
    release(moved)
    return moved


def release(array: NDArray[Any]) -> None:
    """Let the system take the memory of an array in a file; what was written stays there."""
    if isinstance(array.base, np.memmap):
        mapping: mmap.mmap = array.base._mmap  # type: ignore[attr-defined]
        mapping.madvise(mmap.MADV_DONTNEED)
