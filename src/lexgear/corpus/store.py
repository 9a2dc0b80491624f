"""Collection directories: atomic writing, and reading with checks."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lexgear.atomic import DirectoryMarker, atomic_directory
from lexgear.corpus.datasets.reader import (
    HasId,
    Row,
    UnusableError,
    get_id,
    get_texts,
    read_list,
    read_object,
    require_unique_ids,
)
from lexgear.corpus.document_files import NEW_DOCUMENTS, DocumentFile, document_line, documents_in
from lexgear.corpus.id_set import IdSet
from lexgear.corpus.json_rows import document_from_row, query_row
from lexgear.corpus.label_checks import keep_known_labels
from lexgear.corpus.query_files import read_queries
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps, read_jsonl, read_jsonl_spans, write_json_list, write_jsonl
from lexgear.law.tree import LawTree
from lexgear.replacing import remedy_if_missing, restore_directory
from lexgear.trec import read_labels, write_qrels

FORMAT = 1
"""Version of the directory layout, stored in `collection.json`."""
MARKER = DirectoryMarker("collection.json", '"relevant_from"')

DOCUMENTS, SKIPPED = "documents.jsonl", "skipped.jsonl"
"""Names of the files of the documents and of the skipped records."""

Made = TypeVar("Made", bound=HasId)


def save_collection(collection: Collection, out: Path, skipped: SkippedRecords) -> None:
    """Write a collection and the list of skipped records to the directory `out`."""
    with atomic_directory(out, MARKER) as directory:
        _write(collection, directory, skipped)


def write_read(read: Callable[[], Collection], out: Path, skipped: SkippedRecords) -> Collection:
    """Write the collection that `read` returns to the directory `out`.

    Readers of large data sets write their documents there as they come, so that these are never all in memory.
    """
    with atomic_directory(out, MARKER) as directory:
        with documents_in(directory):
            collection = read()
        _write(collection, directory, skipped)
    return collection


def _write(collection: Collection, directory: Path, skipped: SkippedRecords) -> None:
    """Write a collection to an empty directory, or to one that has its documents already."""
    _refuse_repeated("queries", collection.queries)
    _write_documents(collection.documents, directory)
    write_jsonl(directory / "queries.jsonl", map(query_row, collection.queries))
    write_qrels(directory / "qrels.trec", collection.qrels)
    write_json_list(directory / "law.json", collection.law.to_rows())
    if collection.pools:
        _write_json(directory / "pools.json", {query: list(pool) for query, pool in collection.pools.items()})
    own = {query.id: list(query.own_documents) for query in collection.queries if query.own_documents}
    if own:
        _write_json(directory / "exclude.json", own)
    if skipped.entries:
        rows = (
            {"file": str(entry.file), "line": entry.line, "record": entry.record, "reason": entry.reason}
            for entry in skipped.entries
        )
        write_jsonl(directory / SKIPPED, rows)
    _write_json(directory / "collection.json", _description(collection, skipped))


def _write_documents(documents: Sequence[Document], directory: Path) -> None:
    """Write the documents, or give their file its name if they were written to the directory as they were read."""
    path, taken = directory / DOCUMENTS, IdSet()
    if isinstance(documents, DocumentFile) and documents.path.parent == directory:
        documents.path.rename(path)
    else:
        with path.open("wb") as file:
            for document in documents:
                if document.id in taken:
                    _refuse_repeated("documents", documents)
                taken.add(document.id)
                file.write(document_line(document))
    for left in directory.glob(NEW_DOCUMENTS.format("*")):
        left.unlink()


def load_collection(directory: str | Path) -> Collection:
    """Read a collection directory; raise an InputError with file and line if anything is missing or invalid."""
    return _load(Path(directory), lambda path: _read_rows(path, document_from_row))


def open_collection(directory: str | Path) -> Collection:
    """Return the same as `load_collection`, but read the texts of documents when they are used.

    Every row is checked now; ids and positions stay in memory, about 130 bytes per document.
    """
    return _load(Path(directory), _open_documents)


def _load(directory: Path, read_documents: Callable[[Path], Sequence[Document]]) -> Collection:
    if not restore_directory(directory) or not directory.is_dir():
        raise InputError(
            "no such collection directory",
            code=ErrorCode.NOT_A_COLLECTION,
            file=directory,
            remedy=remedy_if_missing(directory),
        )
    description = read_object(directory / "collection.json")
    if description.get("format") != FORMAT:
        raise InputError(
            f"unsupported format {description.get('format')!r}; this version reads format {FORMAT}",
            code=ErrorCode.FILE_MALFORMED,
            file=directory / "collection.json",
            remedy="import the data set again",
        )
    documents = read_documents(directory / DOCUMENTS)
    queries = read_queries(directory / "queries.jsonl")
    labels = directory / "qrels.trec"
    try:
        collection = Collection(
            name=str(description["name"]),
            language=str(description["language"]),
            documents=documents,
            queries=queries,
            qrels=keep_known_labels(labels, read_labels(labels), queries, documents, SkippedRecords(strict=True)),
            pools=_read_pools(directory / "pools.json"),
            law=read_law(directory / "law.json"),
            relevant_from=_relevant_from(description, directory),
            source=dict(description["source"]),
        )
        expected = description["counts"]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"not a valid description of a collection: {error}",
            code=ErrorCode.FILE_MALFORMED,
            file=directory / "collection.json",
            remedy="import the data set again",
        ) from error
    for name, count in _counts(collection).items():
        if expected.get(name) != count:
            raise InputError(
                f"damaged: {count} {name}, but collection.json says {expected.get(name)}",
                code=ErrorCode.FILE_MALFORMED,
                file=directory,
                remedy="import the data set again",
            )
    return collection


@dataclass(frozen=True, slots=True)
class CollectionLabels:
    """The labels of a collection and what evaluation needs to know about them."""

    directory: Path
    qrels: Path
    relevant_from: int
    queries: tuple[Query, ...]


def find_collection_labels(labels: Path) -> CollectionLabels | None:
    """Return the labels of a collection, given its directory or its qrels file; None if it is not a collection."""
    directory = labels if labels.is_dir() else labels.parent
    if not (directory / "collection.json").exists():
        return None
    return CollectionLabels(
        directory,
        qrels=directory / "qrels.trec" if labels.is_dir() else labels,
        relevant_from=_relevant_from(read_object(directory / "collection.json"), directory),
        queries=read_queries(directory / "queries.jsonl"),
    )


def read_document_charges(directory: Path) -> dict[str, tuple[str, ...]]:
    """Return document id → charges of a collection directory."""
    documents = _read_rows(directory / DOCUMENTS, lambda row: Document(get_id(row), charges=get_texts(row, "charges")))
    return {document.id: document.charges for document in documents}


def read_law(path: Path) -> LawTree:
    """Read the law tree of a `law.json`."""
    rows = read_list(path)
    if not all(isinstance(row, dict) and row.get("id") and row.get("kind") for row in rows):
        remedy = "write a list of nodes with `id`, `kind` and `parent`"
        raise InputError("not a law tree", code=ErrorCode.FILE_MALFORMED, file=path, remedy=remedy)
    try:
        return LawTree.from_rows(rows)
    except InputError as error:
        remedy = "list each node once, after its parent"
        raise InputError(error.problem, code=ErrorCode.FILE_MALFORMED, file=path, remedy=remedy) from error


def _description(collection: Collection, skipped: SkippedRecords) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": collection.name,
        "language": collection.language,
        "relevant_from": collection.relevant_from,
        "source": dict(collection.source),
        "counts": _counts(collection),
        "skipped": dict(skipped.counts()),
    }


def _counts(collection: Collection) -> dict[str, int]:
    return {
        "documents": len(collection.documents),
        "queries": len(collection.queries),
        "labels": sum(map(len, collection.qrels.values())),
        "law nodes": len(collection.law),
    }


def _relevant_from(description: Row, directory: Path) -> int:
    grade = description.get("relevant_from")
    if type(grade) is not int or grade < 1:
        raise InputError(
            f"relevant_from is {grade!r}, not a grade",
            code=ErrorCode.FILE_MALFORMED,
            file=directory / "collection.json",
            remedy="use a whole number of at least 1, the lowest grade that counts as relevant",
        )
    return grade


def _refuse_repeated(name: str, things: Iterable[HasId]) -> None:
    """Raise an InputError for repeated ids: such a collection could be written but not read back."""
    for repeated, times in Counter(thing.id for thing in things).items():
        if times > 1:
            raise InputError(
                f"the id {repeated!r} appears {times} times among the {name}",
                code=ErrorCode.DUPLICATE_ID,
                remedy="use unique ids",
                id=repeated,
            )


def _read_rows(path: Path, make: Callable[[Row], Made]) -> tuple[Made, ...]:
    made = []
    for line, row in read_jsonl(path):
        try:
            made.append((line, make(row)))
        except UnusableError as reason:
            raise InputError(str(reason), code=ErrorCode.RECORD_INVALID, file=path, line=line) from reason
    return require_unique_ids(path, made)


def _open_documents(path: Path) -> DocumentFile:
    """Check every row of a file of documents; return them without their texts."""
    starts, charged, ids, taken = array("q", [0]), 0, list[str](), IdSet()
    for line, end, row in read_jsonl_spans(path):
        try:
            document = document_from_row(row)
        except UnusableError as reason:
            raise InputError(str(reason), code=ErrorCode.RECORD_INVALID, file=path, line=line) from reason
        if document.id in taken:
            _read_rows(path, lambda row: Document(get_id(row)))  # names both lines
        taken.add(document.id)
        ids.append(document.id)
        starts.append(end)
        charged += bool(document.charges)
    return DocumentFile(path, starts, charged, ids)


def _read_pools(path: Path) -> Mapping[str, tuple[str, ...]]:
    if not path.exists():
        return {}
    pools = read_object(path)
    try:
        return {query: get_texts(pools, query) for query in pools}
    except UnusableError as reason:
        raise InputError(str(reason), code=ErrorCode.FILE_MALFORMED, file=path) from reason


def _write_json(path: Path, value: Any) -> None:
    path.write_text(dumps(value) + "\n", encoding="utf-8")
