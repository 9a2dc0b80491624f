"""A collection as a directory: written whole or not at all, checked when read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from lexgear.corpus.json_rows import document_from_row, document_row, query_of, query_row
from lexgear.corpus.labels import known_labels
from lexgear.corpus.reading import HasId, Row, UnusableError, read_list, read_object, texts_of
from lexgear.corpus.records import Collection, Query
from lexgear.corpus.skips import Skips
from lexgear.errors import InputError
from lexgear.files import dumps, read_jsonl, whole_directory, write_jsonl
from lexgear.law.tree import LawTree
from lexgear.trec import read_labels, write_qrels

__all__ = [
    "document_from_row",
    "document_row",
    "load_collection",
    "query_from_row",
    "read_law",
    "read_queries",
    "save_collection",
]

FORMAT = 1
"""Version of the directory's layout, kept in `collection.json`."""

Made = TypeVar("Made", bound=HasId)


def save_collection(collection: Collection, out: Path, skips: Skips) -> None:
    """Writes a collection to the directory `out`, and beside it what was left out on the way."""
    own = {query.id: list(query.own) for query in collection.queries if query.own}
    with whole_directory(out) as directory:
        write_jsonl(directory / "documents.jsonl", map(document_row, collection.documents))
        write_jsonl(directory / "queries.jsonl", map(query_row, collection.queries))
        write_qrels(directory / "qrels.trec", collection.qrels)
        _write_list(directory / "law.json", collection.law.to_rows())
        if collection.pools:
            _write_json(directory / "pools.json", {query: list(pool) for query, pool in collection.pools.items()})
        if own:
            _write_json(directory / "exclude.json", own)
        if skips.entries:
            rows = (
                {"file": str(skip.file), "line": skip.line, "record": skip.record, "reason": skip.reason}
                for skip in skips.entries
            )
            write_jsonl(directory / "skipped.jsonl", rows)
        _write_json(directory / "collection.json", _description(collection, skips))


def load_collection(directory: Path) -> Collection:
    """Reads a collection back; anything missing or wrong is an error with its file and line."""
    if not directory.is_dir():
        raise InputError("no such collection", file=directory, remedy="`lexgear import` makes one from a data set")
    description = read_object(directory / "collection.json")
    if description.get("format") != FORMAT:
        raise InputError(
            f"format {description.get('format')!r}, this version reads {FORMAT}",
            file=directory / "collection.json",
            remedy="import the data set again",
        )
    documents = _read_rows(directory / "documents.jsonl", document_from_row)
    queries = read_queries(directory / "queries.jsonl")
    labels = directory / "qrels.trec"
    try:
        collection = Collection(
            name=str(description["name"]),
            language=str(description["language"]),
            documents=documents,
            queries=queries,
            qrels=known_labels(labels, read_labels(labels), queries, documents, Skips(strict=True)),
            pools=_read_pools(directory / "pools.json"),
            law=read_law(directory / "law.json"),
            relevant_from=int(description["relevant_from"]),
            source=dict(description["source"]),
        )
        expected = description["counts"]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"not the description of a collection: {error}", file=directory / "collection.json") from error
    for name, count in _counts(collection).items():
        if expected.get(name) != count:
            raise InputError(
                f"{count} {name}, but collection.json says {expected.get(name)}",
                file=directory,
                remedy="the directory is damaged: import the data set again",
            )
    return collection


def query_from_row(row: Row, file: Path, line: int) -> Query:
    """The query on a line of a query file: `id` and `text`, and `charges`, `split`, `own` where present."""
    try:
        return query_of(row)
    except UnusableError as reason:
        raise InputError(str(reason), file=file, line=line, remedy='a line is {"id": "…", "text": "…"}') from reason


def read_queries(path: Path) -> tuple[Query, ...]:
    """The queries of a JSON lines file."""
    return _unique(path, [(line, query_from_row(row, path, line)) for line, row in read_jsonl(path)])


def read_law(path: Path) -> LawTree:
    """The law tree in a `law.json`."""
    rows = read_list(path)
    if not all(isinstance(row, dict) and row.get("id") and row.get("kind") for row in rows):
        raise InputError("not a law tree", file=path, remedy="a list of nodes with `id`, `kind` and `parent`")
    try:
        return LawTree.from_rows(rows)
    except InputError as error:
        raise InputError(error.problem, file=path) from error


def _write_list(path: Path, rows: list[dict[str, str]]) -> None:
    """Writes a JSON list, one row a line, so that changes show line by line."""
    body = ",\n".join(dumps(row) for row in rows)
    path.write_text(f"[\n{body}\n]\n" if rows else "[]\n", encoding="utf-8")


def _description(collection: Collection, skips: Skips) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": collection.name,
        "language": collection.language,
        "relevant_from": collection.relevant_from,
        "source": dict(collection.source),
        "counts": _counts(collection),
        "skipped": dict(skips.counts()),
    }


def _counts(collection: Collection) -> dict[str, int]:
    return {
        "documents": len(collection.documents),
        "queries": len(collection.queries),
        "labels": sum(map(len, collection.qrels.values())),
        "law nodes": len(collection.law),
    }


def _read_rows(path: Path, make: Callable[[Row], Made]) -> tuple[Made, ...]:
    made = []
    for line, row in read_jsonl(path):
        try:
            made.append((line, make(row)))
        except UnusableError as reason:
            raise InputError(str(reason), file=path, line=line) from reason
    return _unique(path, made)


def _unique(path: Path, made: list[tuple[int, Made]]) -> tuple[Made, ...]:
    seen: dict[str, int] = {}
    for line, thing in made:
        if thing.id in seen:
            raise InputError(
                f"the id {thing.id!r} stands on line {seen[thing.id]} already",
                file=path,
                line=line,
                remedy="ids must differ",
            )
        seen[thing.id] = line
    return tuple(thing for _, thing in made)


def _read_pools(path: Path) -> Mapping[str, tuple[str, ...]]:
    if not path.exists():
        return {}
    pools = read_object(path)
    try:
        return {query: texts_of(pools, query) for query in pools}
    except UnusableError as reason:
        raise InputError(str(reason), file=path) from reason


def _write_json(path: Path, value: Any) -> None:
    path.write_text(dumps(value) + "\n", encoding="utf-8")
