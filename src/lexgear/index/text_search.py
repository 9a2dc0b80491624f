"""Search for strings in the texts of a catalogue; the last answers are kept.

The grams of the catalogue (`index/grams.py`) name the documents to read; without grams all are read. Of LeCaRD's 9,088
judgments 132 contain 入户盗窃, found in 7 ms of CPU, and 6,341 contain 如实供述, found in 0.3 s.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice

from lexgear.files import dumps
from lexgear.index.grams import Grams, searchable_text
from lexgear.index.untrusted import unpack_pieces, unpack_row

MAX_TERMS = 64
"""Terms whose documents are kept."""
THREADS = min(4, os.cpu_count() or 1)
"""Unpacking releases Python's lock."""
_AT_ONCE = 256
"""Documents per thread that are in memory at once."""
_ESCAPE = b"\\u"
_WIDE = "　-〿㐀-䶿一-鿿！-＠"
_CHINESE = re.compile(rf"[ -@\[-`{{-~]*[{_WIDE}][ -@\[-`{{-~{_WIDE}]*")
"""Terms without letters that have a Chinese character: no name of a field, and nothing to fold."""

_Row = tuple[int, bytes]


class TextSearch:
    """Documents by the strings that their texts and details contain; upper and lower case are alike."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._kept: OrderedDict[str, frozenset[int]] = OrderedDict()
        query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'grams'"
        self._grams = Grams(database) if database.execute(query).fetchone() else None

    def containing(self, term: str) -> frozenset[int]:
        """Return the positions of the documents that contain a term."""
        key = term.casefold()
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        self._kept[key] = found = frozenset(self._find(key))
        while len(self._kept) > MAX_TERMS:
            self._kept.popitem(last=False)
        return found

    def _find(self, term: str) -> Iterable[int]:
        if self._grams is None:
            return _matching(self._database.execute("SELECT position, row FROM documents"), term)
        positions, are_certain = self._grams.candidates(term)
        return positions.tolist() if are_certain else _matching(self._rows(positions.tolist()), term)

    def _rows(self, positions: Iterable[int]) -> Iterator[_Row]:
        for position in positions:
            yield from self._database.execute("SELECT position, row FROM documents WHERE position = ?", (position,))


def _matching(rows: Iterable[_Row], term: str) -> Iterable[int]:
    """Return the positions of the rows that contain a term."""
    written = dumps(term)[1:-1]
    is_chinese = _CHINESE.fullmatch(term)

    def contains(row: bytes) -> bool:
        return _has_bytes(row, written.encode(), term) if is_chinese else _has_folded(row, written, term)

    def read(some: Iterable[_Row]) -> list[int]:
        return [position for position, row in some if contains(row)]

    rows, found = iter(rows), list[int]()
    with ThreadPoolExecutor(THREADS) as threads:
        while some := list(islice(rows, THREADS * _AT_ONCE)):
            found += chain.from_iterable(threads.map(read, (some[one::THREADS] for one in range(THREADS))))
    return found


def _has_bytes(row: bytes, written: bytes, term: str) -> bool:
    """Return whether a row contains a term, reading no further than its first place.

    A row that does not hold its characters as they are (`files.dumps` escapes lone surrogates) is parsed.
    """
    before, is_escaped = b"", False
    for piece in unpack_pieces(row):
        joined = before + piece
        if written in joined:
            return True
        is_escaped = is_escaped or _ESCAPE in joined
        before = joined[-len(written) :]
    return is_escaped and term in searchable_text(unpack_row(row))


def _has_folded(row: bytes, written: str, term: str) -> bool:
    """Return whether a row contains a term in upper or lower case; only rows that seem to contain it are parsed."""
    unpacked = unpack_row(row)
    return (written in unpacked.decode().casefold() or _ESCAPE in unpacked) and term in searchable_text(unpacked)
