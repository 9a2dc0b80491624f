"""Reader of STARD: citizens' questions in Chinese and the statutory articles that answer them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from lexgear.corpus.datasets.reader import (
    Record,
    Row,
    UnusableError,
    find_file,
    need_file,
    read_list,
    read_records,
)
from lexgear.corpus.datasets.statutes import Question, QuestionFields, answers, article_documents, read_questions
from lexgear.corpus.id_set import IdSet
from lexgear.corpus.records import Collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_jsonl, read_text
from lexgear.law.numerals import ARTICLE
from lexgear.law.tables import ArticleRow
from lexgear.progress import Progress

_FIELDS = QuestionFields(text="问题", articles="match_id", id="query_id")
_PACKED_FIELDS = QuestionFields(text="query", articles="articles", complete="complete")
_LAYOUT = "give the `data` directory of STARD's repository"
_NAME = re.compile(rf"(.+?)({ARTICLE.pattern})$")


def read_stard(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    """Read the official layout, or the packed one with `articles.jsonl.xz`, whose articles have a path in the law."""
    packed = find_file(source, "articles.jsonl.xz", "articles.jsonl")
    source = source / "data" if not packed and (source / "data").is_dir() else source
    file = packed or need_file(source, "corpus.jsonl", remedy=_LAYOUT)
    make = _packed_article if packed else _article
    articles = read_records(file, read_jsonl(file), make, skipped, progress=progress)
    law, documents = article_documents(articles, (row.law + row.number for row in articles))
    ids = {row.id: row.id for row in articles}
    questions = tuple(_packed_questions(source, ids, skipped) if packed else _questions(source, ids, skipped))
    return Collection(
        name="stard",
        language="zh",
        documents=documents,
        queries=tuple(question.query for question in questions),
        qrels=answers(questions),
        law=law,
        source={"data set": "STARD", "url": "https://github.com/oneal2000/STARD", "licence": "MIT"}
        | ({"articles": "rebuilt from LawRefBook, with their path in the law"} if packed else {}),
    )


def _packed_questions(source: Path, ids: Mapping[str, str], skipped: SkippedRecords) -> Iterator[Question]:
    taken = IdSet()
    for split in ("train", "test"):
        file = source / f"queries.{split}.jsonl"
        yield from read_questions(file, read_jsonl(file), _PACKED_FIELDS, split, ids, skipped, taken)


def _questions(source: Path, ids: Mapping[str, str], skipped: SkippedRecords) -> Iterator[Question]:
    """Yield all questions of `queries.json`; its `dev` questions form the test split."""
    file = need_file(source, "queries.json", remedy=_LAYOUT)
    held_out = find_file(source, "example/qrels.dev.tsv")
    test = {line.split()[0] for line in read_text(held_out).splitlines() if line.strip()} if held_out else set()
    splits: dict[str, list[tuple[int | None, Row]]] = {"train": [], "test": []}
    for row in read_list(file):
        if not isinstance(row, dict):
            raise InputError("not a list of questions", code=ErrorCode.FILE_MALFORMED, file=file, remedy=_LAYOUT)
        splits["test" if str(row.get("query_id")) in test else "train"].append((None, row))
    taken = IdSet()
    for split, rows in splits.items():
        yield from read_questions(file, rows, _FIELDS, split, ids, skipped, taken)


def _packed_article(record: Record) -> ArticleRow:
    law, number, path = record.text("law"), record.text("number"), record.texts("path")
    return ArticleRow(record.id, law, record.text("source"), number, path, record.text("text"))


def _article(record: Record) -> ArticleRow:
    name = _NAME.match(record.text("name"))
    if not name:
        raise UnusableError("name without an article number")
    return ArticleRow(record.id, name[1], name[1], name[2], (), record.text("content"))
