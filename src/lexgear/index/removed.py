"""Record of removed documents: a JSON list of ids beside the manifest, so that an old link can be answered."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from lexgear.atomic import atomic_file
from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps, read_json

FILE = "removed.json"


def read_removed(directory: Path) -> frozenset[str]:
    """Return the ids of the documents that were removed from an index; some may have been added again since."""
    path = directory / FILE
    if not path.is_file():
        return frozenset()
    ids = read_json(path)
    if not isinstance(ids, list) or not all(isinstance(name, str) for name in ids):
        raise InputError(
            "not a list of removed documents", code=ErrorCode.INDEX_DAMAGED, file=path, remedy="delete the file"
        )
    return frozenset(ids)


def record_removed(directory: Path, ids: Collection[str]) -> None:
    """Add ids to the record. The caller holds the lock of the index."""
    known = read_removed(directory)
    with atomic_file(directory / FILE) as file:
        file.write(dumps(sorted(known | set(ids))))
