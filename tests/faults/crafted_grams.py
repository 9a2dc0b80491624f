"""Grams of a catalogue written by an attacker: documents that do not exist, lists that do not fit, no lists at all."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from faults.crafted import Forgery


def _all_rows(column: str, value: object) -> Forgery:
    def rewrite(path: Path) -> None:
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(f"UPDATE grams SET {column} = ?", (value,))

    return rewrite


def _lists(change: Callable[[bytes], bytes]) -> Forgery:
    """Change the unpacked lists of every first character."""

    def rewrite(path: Path) -> None:
        with closing(sqlite3.connect(path)) as database, database:
            rows = database.execute("SELECT rowid, packed FROM grams").fetchall()
            for row, packed in rows:
                changed = zlib.compress(change(zlib.decompress(packed)))
                database.execute("UPDATE grams SET packed = ? WHERE rowid = ?", (changed, row))

    return rewrite


def _another_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript("DROP TABLE grams; CREATE TABLE grams (first INTEGER, other TEXT);")


def _keys_downwards(raw: bytes) -> bytes:
    """Let the second key be smaller than the first: their differences are added as numbers of 64 bits."""
    number = int.from_bytes(raw[:4], "little")
    return raw[:4] + b"\xff" * 8 * number + raw[4 + 8 * number :]


def _last_steps(raw: bytes) -> bytes:
    """Let every list go on to documents that do not exist."""
    number = int.from_bytes(raw[:4], "little")
    return raw[: 4 + 12 * number] + b"\xff" * (len(raw) - 4 - 12 * number)


REFUSED: dict[str, Forgery] = {
    "text instead of lists": _all_rows("packed", "lists"),
    "a number instead of lists": _all_rows("packed", 7),
    "empty lists": _all_rows("packed", b""),
    "lists that unpack to 128 MB": _all_rows("packed", zlib.compress(bytes(2**27))),
    "lists cut in half": _lists(lambda raw: raw[: len(raw) // 2]),
    "nothing within the lists": _lists(lambda raw: b""),
    "more keys than bytes": _lists(lambda raw: b"\xff" * 4 + raw[4:]),
    "more documents than bytes": _lists(lambda raw: raw[:4] + b"\xff" * (len(raw) - 4)),
    "a block that starts at a word": _all_rows("start", "first"),
    "a block that starts at infinity": _all_rows("start", float("inf")),
    "a block that starts between two documents": _all_rows("start", 0.5),
    "another table": _another_table,
}
WITHOUT_HITS: dict[str, Forgery] = {
    "no keys": _lists(lambda raw: bytes(4)),
    "keys downwards": _lists(_keys_downwards),
    "documents that do not exist": _lists(_last_steps),
    "a block behind all documents": _all_rows("start", 2**63 - 1),
    "a block before all documents": _all_rows("start", -(2**63)),
    "other characters": _all_rows("first", 0),
}
