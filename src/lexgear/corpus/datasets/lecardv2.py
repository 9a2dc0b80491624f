"""Reader of LeCaRDv2: 800 Chinese criminal cases as queries over 55,192 judgments, or over GEAR's pool of 1,390."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from lexgear.corpus.datasets.judgment_files import read_candidates
from lexgear.corpus.datasets.reader import (
    Record,
    Row,
    UnusableError,
    expect_shape,
    find_file,
    get_texts,
    need_file,
    read_list,
    read_object,
    read_records,
)
from lexgear.corpus.extraction.missing_fields import fill_missing_fields
from lexgear.corpus.id_set import IdSet
from lexgear.corpus.label_checks import keep_known_labels, keep_known_pools
from lexgear.corpus.records import Citation, Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_jsonl
from lexgear.law.shipped import chinese_criminal_law
from lexgear.progress import Progress
from lexgear.trec import Label, read_labels

_SECTIONS = {"fact": "fact", "reasoning": "reason", "verdict": "result"}
_QUERY_FILES = {
    "train": ("query/train_query.json", "train_query.json"),
    "test": ("query/test_query.json", "test_query.json"),
}
_collection = partial(Collection, name="lecardv2", language="zh", relevant_from=2)
_LAYOUT = "give the root of LeCaRDv2's repository, or the directory with the split of GEAR's authors"
_ABOUT = {"data set": "LeCaRDv2", "url": "https://github.com/THUIR/LeCaRDv2", "licence": "MIT"}


def read_lecardv2(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    """Read the split of GEAR's authors if there is a `labels.json`, else the official layout."""
    if (source / "labels.json").exists():
        return _read_gear(source, skipped, progress)
    return _read_official(source, skipped, progress)


def _read_gear(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    charge_file, label_file = source / "pid_charges.json", source / "labels.json"
    texts = {row["id"]: row for _, row in _candidates(source)}
    rows = [
        (None, {**texts.get(pid, {}), "id": pid, "charge": names}) for pid, names in read_object(charge_file).items()
    ]
    documents = read_records(charge_file, rows, _document, skipped, progress=progress, parallel=True)
    queries = _read_gear_queries(source, skipped)
    with expect_shape(label_file, "query id → [[document id, grade], …]"):
        labels = [
            Label(query, str(pid), int(grade))
            for query, pairs in read_object(label_file).items()
            for pid, grade in pairs
        ]
    qrels = keep_known_labels(label_file, labels, queries, documents, skipped)
    notes = {"pool": "GEAR's: documents of grade 2 or 3 for at least two of the 800 queries"}
    return _collection(
        documents=documents, queries=queries, qrels=qrels, law=chinese_criminal_law(), source=_ABOUT | notes
    )


def _read_gear_queries(source: Path, skipped: SkippedRecords) -> tuple[Query, ...]:
    ids, charges = source / "test_qids.json", source / "test_q_charges.json"
    with expect_shape(charges, f"one list of charges for each line of {ids.name}"):
        # Some queries appear several times: 92 lines are 54 queries.
        test = dict(zip(map(str, read_list(ids)), read_list(charges), strict=True))

    def query(record: Record) -> Query:
        text = "".join(record.texts("sentences"))
        return Query(record.id, text, record.charges("charges"), "test" if record.id in test else "train")

    file = source / "qid_sentences.json"
    rows = [
        (None, {"id": qid, "sentences": sentences, "charges": test.get(qid)})
        for qid, sentences in read_object(file).items()
    ]
    return read_records(file, rows, query, skipped)


def _read_official(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    label_file = need_file(source, "label/relevence.trec", "relevence.trec", remedy=_LAYOUT)
    folder = _candidate_folder(source)
    if folder is None:
        raise InputError(
            "no candidate texts in it",
            code=ErrorCode.FILE_MISSING,
            file=source,
            remedy="unpack the candidates that LeCaRDv2's candidate/README.md links to into candidate/",
        )
    documents = read_records(folder, _candidates(source), _document, skipped, progress=progress, parallel=True)
    taken = IdSet()
    queries = tuple(
        query
        for split, names in _QUERY_FILES.items()
        if (file := find_file(source, *names))
        for query in read_records(file, read_jsonl(file), partial(_query, split=split), skipped, taken=taken)
    )
    pools: Mapping[str, tuple[str, ...]] = {}
    if pool_file := find_file(source, "label/ranking_pool.json", "ranking_pool.json"):
        listed = {str(row.get("qid")): get_texts(row, "rank_doc_id") for _, row in read_jsonl(pool_file)}
        pools = keep_known_pools(pool_file, listed, documents, skipped)
    qrels = keep_known_labels(label_file, read_labels(label_file), queries, documents, skipped)
    return _collection(
        documents=documents, queries=queries, qrels=qrels, pools=pools, law=chinese_criminal_law(), source=_ABOUT
    )


def _document(record: Record) -> Document:
    parts = {name: record.text(field, required=False) for name, field in _SECTIONS.items()}
    sections = {name: part for name, part in parts.items() if part}
    articles = tuple(Citation("刑法", number) for number in record.texts("article"))
    document = Document(record.id, sections, charges=record.charges("charge"), articles=articles)
    full = record.text("qw", required=False)
    if not (document.text or full or document.charges):
        raise UnusableError("neither text nor charges")
    if not document.text:
        document = replace(document, sections={"text": full} if full else {})
    return fill_missing_fields(document, full=full) if document.text else document


def _query(record: Record, split: str) -> Query:
    return Query(record.id, record.text("fact", required=False) or record.text("query"), split=split)


def _candidate_folder(source: Path) -> Path | None:
    return find_file(source, "candidate/candidate_55192", "candidate_55192", "candidate")


def _candidates(source: Path) -> Iterator[tuple[None, Row]]:
    folder = _candidate_folder(source)
    for file, row in read_candidates(folder) if folder else ():
        yield None, row | {"id": str(row.get("pid", file.stem))}
