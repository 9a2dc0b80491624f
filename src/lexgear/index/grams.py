"""Documents of a catalogue by the short character sequences (grams) of their texts, which narrow a search for strings.

Two characters if one of them is Chinese, otherwise three: pairs of letters occur nearly everywhere. A word index would
not do, since it misses 自首 inside a longer word. The grams of LeCaRD's 9,088 judgments take 8 s and 22 MB (the
compressed texts take 62 MB); a small catalogue has none, because reading its texts is as fast.
"""

from __future__ import annotations

import json
import operator
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.index.untrusted import unpack_row

SCHEMA = "CREATE TABLE grams (first INTEGER NOT NULL, start INTEGER NOT NULL, packed BLOB NOT NULL)"
"""Documents of the grams that begin with a character, among the `BLOCK` documents from position `start`."""
INDEX = "CREATE INDEX grams_by_first ON grams (first, start)"
BLOCK = 8192
"""Documents that are sorted at once, about 300 MB; positions within a block fit into 16 bits."""
MIN_SIZE = 8 * 2**20
"""Size of the compressed texts below which a catalogue needs no grams: they are read in about 0.1 s."""
_WIDE = 0x2E80
"""First code point of Chinese characters and punctuation."""
_BITS = 21
"""Bits of a code point."""
_CODES = frozenset({"level", "authority", "kind"})
"""Fields with codes, which are no texts."""

_Keys = NDArray[np.uint64]


def searchable_text(row: bytes) -> str:
    """Return all texts of a stored row, one per line, without upper case."""
    return "\n".join(_texts(json.loads(row))).casefold()


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name not in _CODES:
                yield from _texts(one)


def write_grams(database: sqlite3.Connection, min_size: int = MIN_SIZE) -> None:
    """Add the grams of all documents to a catalogue, unless it is small."""
    [(size, end)] = database.execute("SELECT coalesce(sum(length(row)), 0), count(*) FROM documents")
    if size < min_size:
        return
    database.execute(SCHEMA)
    for start in range(0, end, BLOCK):
        query = "SELECT position, row FROM documents WHERE position >= ? AND position < ?"
        found = [
            (position - start, _keys(searchable_text(unpack_row(row))))
            for position, row in database.execute(query, (start, start + BLOCK))
        ]
        rows = ((first, start, packed) for first, packed in _packed(found))
        database.executemany("INSERT INTO grams VALUES (?,?,?)", rows)
    database.execute(INDEX)


def _keys(text: str) -> _Keys:
    """Return the distinct grams of a text, each as one number; the end of the text counts as two line ends."""
    return np.unique(_windows(f"{text}\n\n"))


def _windows(text: str) -> _Keys:
    """Return the gram that begins at each character of a text but the last two."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    first, second, third = points[:-2], points[1:-1], points[2:].copy()
    wide = (first >= _WIDE) | (second >= _WIDE)
    third[wide] = 0
    return (first << np.uint64(2 * _BITS)) | (second << np.uint64(_BITS)) | third


def _packed(found: Sequence[tuple[int, _Keys]]) -> Iterator[tuple[int, bytes]]:
    """Yield first characters with the grams that begin with them and the documents of each, compressed."""
    if not found:
        return
    keys = np.concatenate([one for _, one in found])
    positions = np.repeat(np.array([place for place, _ in found], np.uint16), [len(one) for _, one in found])
    order = np.argsort(keys, kind="stable")
    distinct, starts = np.unique(keys[order], return_index=True)
    steps = np.diff(positions[order], prepend=np.uint16(0))
    steps[starts] = positions[order][starts]
    firsts, at = np.unique(distinct >> 2 * _BITS, return_index=True)
    for first, (begin, end) in zip(firsts.tolist(), pairwise([*at.tolist(), len(distinct)]), strict=True):
        ends = np.append(starts, len(keys))[begin : end + 1].astype(np.uint32)
        yield first, _pack(distinct[begin:end], ends - ends[0], steps[ends[0] : ends[-1]])


def _pack(keys: _Keys, ends: NDArray[np.uint32], steps: NDArray[np.uint16]) -> bytes:
    """Return arrays as compressed bytes. Bytes of equal weight stand together: they compress to a tenth less."""
    parts = [np.diff(keys, prepend=np.uint64(0)).astype("<u8"), np.diff(ends).astype("<u4"), steps.astype("<u2")]
    planes = b"".join(part.view(np.uint8).reshape(len(part), -1).T.tobytes() for part in parts)
    return zlib.compress(len(keys).to_bytes(4, "little") + planes, 6)


def _unpack(packed: bytes) -> tuple[_Keys, NDArray[np.int64], NDArray[np.int64]]:
    """Return the keys, the ends of their documents (after a zero), and the steps from document to document."""
    raw = unpack_row(packed)
    number = int.from_bytes(raw[:4], "little")
    keys = np.cumsum(_plane(raw, 4, number, "<u8"), dtype=np.uint64)
    ends = np.append(np.int64(0), np.cumsum(_plane(raw, 4 + 8 * number, number, "<u4"), dtype=np.int64))
    return keys, ends, _plane(raw, 4 + 12 * number, int(ends[-1]), "<u2").astype(np.int64)


def _plane(raw: bytes, start: int, number: int, kind: str) -> NDArray[Any]:
    width = np.dtype(kind).itemsize
    planes = np.frombuffer(raw, np.uint8, number * width, start).reshape(width, number)
    return np.ascontiguousarray(planes.T).reshape(-1).view(kind)


class Grams:
    """Reader of the grams of a catalogue that has them."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def candidates(self, term: str) -> tuple[NDArray[np.int64], bool]:
        """Return the documents that may contain a term, and whether all of them do."""
        found, *others = (self._holding(low, high) for low, high in _ranges(term))
        for one in others:
            found = np.intersect1d(found, one, assume_unique=True)
        return found, len(term) < 3 or (len(term) == 3 and ord(max(term)) < _WIDE)

    def _holding(self, low: int, high: int) -> NDArray[np.int64]:
        """Return the documents with a gram from `low` to before `high`; both begin with the same character.

        Raises TypeError, ValueError or zlib.error if the table is damaged. SQLite stores any value in any column.
        """
        query = "SELECT start, packed FROM grams WHERE first = ? ORDER BY start"
        found = [np.zeros(0, np.int64)]
        for start, packed in self._database.execute(query, (low >> 2 * _BITS,)):
            keys, ends, steps = _unpack(packed)
            begin, end = np.searchsorted(keys, np.array([low, high], np.uint64)).tolist()
            if begin < end:
                lists = [np.cumsum(steps[a:b]) for a, b in pairwise(ends[begin : end + 1].tolist())]
                found.append(operator.index(start) + np.unique(np.concatenate(lists)))
        return np.concatenate(found)


def _ranges(term: str) -> list[tuple[int, int]]:
    """Return ranges of grams: a text that contains the term has a gram of each."""
    if len(term) == 1:
        low = ord(term) << 2 * _BITS
        return [(low, low + (1 << 2 * _BITS))]
    keys = _windows(f"{term}\0").tolist()
    known = keys if ord(max(term[-2:])) >= _WIDE else keys[:-1]  # any letter may follow the last two
    return [(key, key + 1) for key in dict.fromkeys(known)] or [(keys[0], keys[0] + (1 << _BITS))]
