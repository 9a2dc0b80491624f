"""Parts of an index written by an attacker, with checksums that are right."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from lexgear.index.manifest import MANIFEST, describe_part, manifest_text

Forgery = Callable[[Path], None]
"""Rewrites a part in place."""


def forge(index: Path, part: Path, forgery: Forgery) -> None:
    """Rewrite a part of an index, then its checksum and that of the manifest."""
    before = describe_part(part)
    part.write_bytes(part.read_bytes())  # a link to the part of another index stays as it is
    forgery(part)
    after = describe_part(part)
    fields = json.loads((index / MANIFEST).read_text("utf-8"))
    for entry in _entries(fields):
        if (entry.get("sha256"), entry.get("size")) == (before.sha256, before.size):
            entry |= {"sha256": after.sha256, "size": after.size}
    fields.popitem()  # the checksum of the manifest is its last field
    (index / MANIFEST).write_text(manifest_text(fields), encoding="utf-8")


def forgeries(part: Path, random: Random) -> Iterator[tuple[str, Forgery]]:
    """Yield what an attacker may do to a part."""
    if part.suffix == ".sqlite":
        yield "a view that never ends", endless_view
        yield "documents that unpack to 128 MB", bomb
        yield "rows that are no documents", no_documents
    elif part.suffix in {".npz", ".npy"}:
        yield "numbers that are none", lambda path: rewrite_arrays(path, lambda array: array * np.nan)
        yield "arrays cut in half", lambda path: rewrite_arrays(path, lambda array: array[: len(array) // 2])
        yield "values out of range", lambda path: rewrite_arrays(path, _largest)
        yield "another shape", lambda path: rewrite_arrays(path, lambda array: array.reshape(-1, 1))
    elif part.suffix == ".json":
        yield "an empty object", lambda path: _put(path, b"{}")
        yield "a list of nothing", lambda path: _put(path, b"[]")
        yield "deep nesting", lambda path: _put(path, b"[" * 100_000 + b"]" * 100_000)
    yield "nothing", lambda path: _put(path, b"")
    yield "random bytes", lambda path: _put(path, random.randbytes(1000))


def endless_view(path: Path) -> None:
    """Put a view in the place of the documents."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "ALTER TABLE documents RENAME TO hidden; CREATE VIEW documents AS WITH RECURSIVE more(position) AS "
            "(SELECT 0 UNION ALL SELECT position + 1 FROM more) SELECT position, 'x' AS id, x'00' AS row FROM more;"
        )


def bomb(path: Path) -> None:
    """Let every document unpack to 128 MB."""
    packing = zlib.compressobj(9)
    packed = b"".join([*(packing.compress(bytes(2**24)) for _ in range(8)), packing.flush()])
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE documents SET row = ?", (packed,))
        database.commit()


def no_documents(path: Path) -> None:
    """Let the documents be lists."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE documents SET row = ?", (zlib.compress(b"[1]"),))
        database.commit()


def rewrite_arrays(path: Path, change: Callable[[Any], Any]) -> None:
    """Change every array of numbers in a file."""
    file = BytesIO()
    if path.suffix == ".npy":
        np.save(file, _changed(np.load(path), change))
    else:
        with np.load(path) as stored:
            np.savez(file, **{name: _changed(stored[name], change) for name in stored.files})
    path.write_bytes(file.getvalue())


def _changed(array: Any, change: Callable[[Any], Any]) -> Any:
    return change(array) if array.dtype.kind in "fiu" and array.ndim else array


def _largest(array: Any) -> Any:
    info = np.finfo if array.dtype.kind == "f" else np.iinfo
    return np.full_like(array, info(array.dtype).max)


def _put(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def _entries(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _entries(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _entries(inner)
