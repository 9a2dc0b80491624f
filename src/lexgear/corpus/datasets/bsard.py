"""BSARD: questions of Belgian citizens in French, and the articles of law that answer them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lexgear.corpus.datasets.reader import Record, Row, find_file, need_file, read_records
from lexgear.corpus.datasets.statutes import Question, QuestionFields, answers, article_documents, read_questions
from lexgear.corpus.records import Collection
from lexgear.corpus.skipped_records import Skips
from lexgear.errors import InputError
from lexgear.files import read_jsonl, read_text
from lexgear.law.tables import ArticleRow
from lexgear.progress import Progress

_PATH = ("book", "part", "act", "chapter", "section", "subsection")
_FIELDS = QuestionFields(text="question", articles="articles", whole="rebuilt")
_LAYOUT = "name the directory with articles.csv, questions_train.csv and questions_test.csv"
_ABOUT = {"url": "https://huggingface.co/datasets/maastrichtlawtech/bsard", "licence": "CC BY-NC-SA 4.0"}

_CAVEAT = "articles rebuilt and aligned, some ids off by one or two: not to be compared with published BSARD figures"


def read_bsard(source: Path, skips: Skips, progress: Progress) -> Collection:
    """Reads the official CSV files, or the packed ones with rebuilt articles as `bsard-rebuilt`."""
    packed = find_file(source, "articles.jsonl.xz", "articles.jsonl")
    file = packed or need_file(source, "articles.csv", "articles_fr.csv", remedy=_LAYOUT)
    rows = read_jsonl(file) if packed else _read_csv(file, ("id", "article", "code"))
    articles = read_records(file, rows, _packed_article if packed else _article, skips, progress=progress)
    law, documents = article_documents(articles, (f"{row.law}, art. {row.number}" for row in articles))
    known, taken = {row.id for row in articles}, set[str]()
    questions: list[Question] = []
    for split in ("train", "test"):
        question_file, asked = _question_rows(source, split, packed=packed is not None)
        questions += read_questions(question_file, asked, _FIELDS, split, known, skips, taken)
    return Collection(
        name="bsard-rebuilt" if packed else "bsard",
        language="fr",
        documents=documents,
        queries=tuple(question.query for question in questions),
        qrels=answers(questions),
        law=law,
        source=_ABOUT | ({"data set": "BSARD-rebuilt", "caveat": _CAVEAT} if packed else {"data set": "BSARD"}),
    )


def gear_pool(qrels: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    """GEAR's pool: the articles that answer at least one question.

    >>> gear_pool({"1": {"10": 1, "11": 1}, "2": {"10": 1}})
    ('10', '11')
    """
    return tuple(dict.fromkeys(article for grades in qrels.values() for article in grades))


def _question_rows(source: Path, split: str, *, packed: bool) -> tuple[Path, Iterable[tuple[int, Row]]]:
    if packed:
        file = source / f"questions.{split}.jsonl"
        return file, read_jsonl(file)
    file = need_file(source, f"questions_{split}.csv", f"questions_fr_{split}.csv", remedy=_LAYOUT)
    return file, (
        (line, {**row, "articles": str(row["article_ids"]).replace(",", " ").split()})
        for line, row in _read_csv(file, ("id", "question", "article_ids"))
    )


def _packed_article(record: Record) -> ArticleRow:
    # Twelve repealed articles have a place in the law but no text: they stay.
    code, text = record.text("code"), record.text("text", required=False)
    return ArticleRow(record.id, code, code, record.text("number"), record.texts("path"), text)


def _article(record: Record) -> ArticleRow:
    path = tuple(heading for name in _PATH if (heading := record.text(name, required=False)))
    code = record.text("code")
    number = record.text("reference", required=False) or record.text("article_no", required=False) or record.id
    number = number.split(",")[0].removeprefix("Art.").strip()
    return ArticleRow(record.id, code, code, number, path, record.text("article"))


def _read_csv(file: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, Row]]:
    reader = csv.DictReader(io.StringIO(read_text(file), newline=""))
    if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
        raise InputError(f"no column {', '.join(missing)}", file=file, line=1, remedy=_LAYOUT)
    for row in reader:
        yield reader.line_num, row
