"""Query files: JSON lines with `id` and `text`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lexgear.corpus.datasets.reader import Row, UnusableError, require_unique_ids
from lexgear.corpus.json_rows import query_from_row
from lexgear.corpus.records import Query
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_jsonl


def query_from_line(row: Row, file: Path, line: int) -> Query:
    """Return the query of a line: `id` and `text`, and optionally `charges`, `split`, `own` and `incomplete_labels`."""
    try:
        return query_from_row(row)
    except UnusableError as reason:
        raise InputError(
            str(reason),
            code=ErrorCode.RECORD_INVALID,
            file=file,
            line=line,
            remedy='write lines of the form {"id": "…", "text": "…"}',
        ) from reason


def read_queries(path: Path) -> tuple[Query, ...]:
    """Read the queries of a JSON lines file."""
    return require_unique_ids(path, [(line, query_from_line(row, path, line)) for line, row in read_jsonl(path)])


def select_split(queries: Iterable[Query], split: str, file: Path) -> tuple[Query, ...]:
    """Return the queries of a split; raise an InputError that names `file`, their origin, if there are none."""
    by_split: dict[str, list[Query]] = {}
    for query in queries:
        by_split.setdefault(query.split, []).append(query)
    if split not in by_split:
        known = ", ".join(sorted(filter(None, by_split)))
        raise InputError(
            f"no query belongs to the split {split!r}",
            code=ErrorCode.UNKNOWN_NAME,
            file=file,
            remedy=f"choose one of {known}" if known else "the queries have no split: use all of them",
            split=split,
        )
    return tuple(by_split[split])
