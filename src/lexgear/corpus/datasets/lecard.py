"""Reader of LeCaRD (v1): 107 Chinese criminal cases as queries, with about 100 candidate judgments each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from lexgear.corpus.datasets.judgment_files import read_candidates
from lexgear.corpus.datasets.reader import (
    Record,
    Row,
    UnusableError,
    expect_shape,
    find_file,
    need_file,
    read_object,
    read_records,
)
from lexgear.corpus.extraction.missing_fields import fill_missing_fields
from lexgear.corpus.label_checks import keep_known_labels, keep_known_pools
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_jsonl, read_text
from lexgear.law.shipped import chinese_criminal_law
from lexgear.progress import Progress
from lexgear.trec import Label, read_labels

_LAYOUT = "give the `data` directory of LeCaRD's repository"
_ABOUT = {"data set": "LeCaRD (v1)", "url": "https://github.com/myx666/LeCaRD", "licence": "MIT"}
_collection = partial(Collection, name="lecard", language="zh", relevant_from=3)
_SECTIONS = {"fact": "ajjbqk", "reasoning": "cpfxgc", "verdict": "pjjg"}


def read_lecard(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    """Read the official layout (candidates unzipped or not), or the packed one with `cases.jsonl.xz`."""
    if packed := find_file(source, "cases.jsonl.xz", "cases.jsonl"):
        return _read_packed(source, packed, skipped, progress)
    return _read_official(source / "data" if (source / "data").is_dir() else source, skipped, progress)


def _read_packed(source: Path, cases: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    documents = read_records(cases, read_jsonl(cases), _document, skipped, progress=progress, parallel=True)
    own = _lists(source / "own_judgments.json")
    never = source / "never_train_on.txt"
    queries = _read_queries(source / "queries.jsonl", own, skipped)
    qrels = source / "qrels.trec"
    return _collection(
        documents=documents,
        queries=queries,
        qrels=keep_known_labels(qrels, read_labels(qrels), queries, documents, skipped),
        pools=keep_known_pools(source / "pools.json", _lists(source / "pools.json"), documents, skipped),
        law=chinese_criminal_law(),
        source=_ABOUT | ({"never_train_on": " ".join(read_text(never).split())} if never.exists() else {}),
    )


def _read_official(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    query_file = need_file(source, "query/query.json", "query.json", remedy=_LAYOUT)
    label_file = need_file(source, "label/label_top30_dict.json", "label_top30_dict.json", remedy=_LAYOUT)
    folder = need_file(source, "candidates", remedy=_LAYOUT)
    pools: dict[str, list[str]] = {}
    decided: dict[str, list[str]] = {}

    def candidates() -> Iterator[tuple[None, Row]]:
        seen: set[str] = set()
        for file, row in read_candidates(folder):
            pools.setdefault(file.parent.name, []).append(file.stem)
            if file.stem not in seen:  # one judgment may be a candidate of several queries
                seen.add(file.stem)
                decided.setdefault(str(row.get("ajId")), []).append(file.stem)
                yield None, row | {"id": file.stem}

    documents = read_records(folder, candidates(), _document, skipped, progress=progress, parallel=True)
    if not documents:
        remedy = "put candidates1.zip and candidates2.zip here"
        raise InputError("no candidates in it", code=ErrorCode.FILE_MISSING, file=folder, remedy=remedy)
    cases = {str(row.get("ridx")): str(row.get("path")).split("/")[0] for _, row in read_jsonl(query_file)}
    own = {query: tuple(decided.get(case, ())) for query, case in cases.items()}
    queries = _read_queries(query_file, own, skipped)
    known = {document.id for document in documents}
    with expect_shape(label_file, "query id → document id → grade"):
        labels = [
            Label(query, document, int(grade))
            for query, grades in read_object(label_file).items()
            for document, grade in grades.items()
        ]
    return _collection(
        documents=documents,
        queries=queries,
        qrels=keep_known_labels(label_file, labels, queries, documents, skipped),
        pools={
            query.id: tuple(document for document in pools[query.id] if document in known)
            for query in queries
            if query.id in pools
        },
        law=chinese_criminal_law(),
        source=_ABOUT | {"own judgments": "candidates of the case a query was drawn from, by their `ajId`"},
    )


def _document(record: Record) -> Document:
    parts = {name: record.text(field, required=False) for name, field in _SECTIONS.items()}
    sections = {name: part for name, part in parts.items() if part}
    if not sections:
        raise UnusableError("no text")
    title = record.text("writName", required=False) or record.text("ajName", required=False)
    return fill_missing_fields(Document(record.id, sections, title), full=record.text("qw", required=False))


def _read_queries(file: Path, own: Mapping[str, tuple[str, ...]], skipped: SkippedRecords) -> tuple[Query, ...]:
    def query(record: Record) -> Query:
        return Query(record.id, record.text("q"), record.charges("crime"), own_documents=own.get(record.id, ()))

    return read_records(file, read_jsonl(file), query, skipped, id_field="ridx")


def _lists(path: Path) -> dict[str, tuple[str, ...]]:
    """Return query id → document ids."""
    lists = read_object(path)
    with expect_shape(path, "query id → document ids"):
        return {query: tuple(map(str, ids)) for query, ids in lists.items()}
