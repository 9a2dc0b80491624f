"""Reader of CAIL2018: facts of Chinese criminal cases with charges, articles and penalties."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lexgear.corpus.datasets.reader import Record, UnusableError, find_file, get_texts, iter_records
from lexgear.corpus.document_files import new_documents
from lexgear.corpus.id_set import IdSet
from lexgear.corpus.json_rows import is_amount
from lexgear.corpus.records import Citation, Collection, Defendant, Document, Penalty, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_jsonl
from lexgear.law.shipped import chinese_criminal_law
from lexgear.progress import Progress


def read_cail2018(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    """Read the official JSON lines files, or the packed `cases.jsonl.xz`.

    Test cases become queries with gold charges, all others documents. There are no relevance labels.
    """
    if packed := find_file(source, "cases.jsonl.xz", "cases.jsonl"):
        files = [packed]
    else:
        files = [source] if source.is_file() else sorted(source.rglob("*.json"))
    if not files:
        remedy = "give a directory or file such as data_train.json"
        raise InputError("no JSON files in it", code=ErrorCode.FILE_MISSING, file=source, remedy=remedy)
    documents = new_documents()
    queries: list[Query] = []
    taken = IdSet()
    for file in files:
        named = read_jsonl(file)
        rows = ((line, {"id": f"{file.stem}-{line}", "split": _split(file), **row}) for line, row in named)
        for case in iter_records(file, rows, _case, skipped, taken=taken, progress=progress, parallel=True):
            if isinstance(case, Query):
                queries.append(case)
            else:
                documents.append(case)
    return Collection(
        name="cail2018",
        language="zh",
        documents=documents.finished(),
        queries=tuple(queries),
        law=chinese_criminal_law(),
        source={
            "data set": "CAIL2018",
            "url": "https://github.com/china-ai-law-challenge/CAIL2018",
            "licence": "research use",
            "penalties": "the source does not distinguish detention and control from imprisonment",
        },
    )


def _split(file: Path) -> str:
    return "test" if "test" in file.stem else "train"


def _case(record: Record) -> Document | Query:
    meta = record.row.get("meta")
    if not isinstance(meta, Mapping):
        raise UnusableError("no meta")
    labels = Record(record.file, record.line, {**meta, "id": record.id}, record.skipped)
    fact, charges = record.text("fact"), labels.charges("accusation")
    if record.row.get("split") == "test":
        return Query(record.id, fact, charges, "test")
    penalty = _penalty(labels)
    criminals = get_texts(meta, "criminals")
    return Document(
        record.id,
        {"fact": fact},
        charges=charges,
        articles=tuple(Citation("刑法", number) for number in dict.fromkeys(labels.texts("relevant_articles"))),
        defendants=tuple(Defendant(name, charges, penalty) for name in criminals if len(criminals) == 1),
        penalty=penalty,
    )


def _penalty(labels: Record) -> Penalty | None:
    term, fine = labels.row.get("term_of_imprisonment"), labels.row.get("punish_of_money") or None
    months = (term.get("imprisonment") or None) if isinstance(term, Mapping) else None
    if not isinstance(term, Mapping) or not (is_amount(months) and is_amount(fine)):
        labels.skip("unreadable penalty")
        return None
    if term.get("death_penalty"):
        return Penalty("death", fine=fine)
    if term.get("life_imprisonment"):
        return Penalty("life", fine=fine)
    if months:
        return Penalty("imprisonment", months=months, fine=fine)
    return Penalty("fine" if fine else "exempt", fine=fine)
