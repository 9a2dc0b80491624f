"""Checks of values in parts whose checksums are right.

Checksums reveal damage, not intent: whoever can write an index can write matching ones. What a part holds must not
run code, fill the memory or change rankings silently.
"""

from __future__ import annotations

import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

MAX_ROW = 64 * 2**20
"""Maximum size of an unpacked document; the longest judgment of LeCaRD has 1 MB."""
MAX_UNPACKED = 2**28
"""Size up to which the arrays of a file may be any multiple of its own size."""
MAX_RATIO = 50
"""Maximum ratio of the size of arrays beyond that to the size of their file."""
_BLOCK = 2**22
_PIECE = 2**13
_NAMES = frozenset({"documents", "charges", "articles", "factors", "grams"})


def unpack_row(row: bytes) -> bytes:
    """Unpack a stored document. Raises zlib.error if it is damaged or too large."""
    unpacking = zlib.decompressobj()
    unpacked = unpacking.decompress(row, MAX_ROW)
    if not unpacking.eof:
        raise zlib.error("the document is incomplete or larger than any document")
    return unpacked


def unpack_pieces(row: bytes) -> Iterator[bytes]:
    """Unpack a stored document piece by piece. Raises zlib.error if it is damaged or too large."""
    unpacking, size = zlib.decompressobj(), 0
    while not unpacking.eof:
        piece = unpacking.decompress(row, _PIECE)
        row, size = unpacking.unconsumed_tail, size + len(piece)
        if size > MAX_ROW or not (piece or unpacking.eof):
            raise zlib.error("the document is incomplete or larger than any document")
        yield piece


def check_schema(database: sqlite3.Connection) -> None:
    """Raise sqlite3.DatabaseError if a catalogue has anything but our tables and their indexes.

    A view in place of a table may never end, and triggers and expressions run what they like.
    """
    database.execute("PRAGMA trusted_schema = OFF")
    for kind, table, written in database.execute("SELECT type, tbl_name, sql FROM sqlite_master"):
        plain = table in _NAMES and kind in {"table", "index"}
        if not plain or (kind == "table" and not str(written).lstrip().upper().startswith("CREATE TABLE")):
            raise sqlite3.DatabaseError(f"unexpected {kind} of {table}")


def check_arrays(path: Path) -> None:
    """Raise ValueError if a file of arrays unpacks to far too much, or holds a number that is not one."""
    if path.suffix == ".npz":
        with zipfile.ZipFile(path) as packed:
            unpacked = sum(part.file_size for part in packed.infolist())
        if unpacked > max(MAX_UNPACKED, MAX_RATIO * path.stat().st_size):
            raise ValueError(f"the arrays take {unpacked:,} bytes")
    for array in _arrays(path):
        if array.dtype.kind == "f":
            flat = array.reshape(-1)
            for start in range(0, len(flat), _BLOCK):
                if not np.isfinite(flat[start : start + _BLOCK]).all():
                    raise ValueError("an array holds a value that is not a number, or an infinite one")


def _arrays(path: Path) -> Iterator[NDArray[np.generic]]:
    if path.suffix == ".npy":
        yield np.load(path, mmap_mode="r" if path.stat().st_size > _BLOCK else None, allow_pickle=False)
    elif path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as stored:
            for name in stored.files:
                yield stored[name]
