"""Reader of BSARD: questions of Belgian citizens in French and the statutory articles that answer them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lexgear.corpus.datasets.reader import Record, Row, expect_shape, find_file, need_file, read_list, read_records
from lexgear.corpus.datasets.statutes import (
    Question,
    QuestionFields,
    answers,
    article_documents,
    article_of_code,
    read_questions,
)
from lexgear.corpus.id_set import IdSet
from lexgear.corpus.records import Collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_jsonl, read_text
from lexgear.law.tables import ArticleRow
from lexgear.progress import Progress

LABEL_FIXES = "label_fixes.json"
_PATH = ("book", "part", "act", "chapter", "section", "subsection")
_FIELDS = QuestionFields(text="question", articles="articles", complete="rebuilt")
_LAYOUT = "give the directory with articles.csv, questions_train.csv and questions_test.csv"
_ABOUT = {"url": "https://huggingface.co/datasets/maastrichtlawtech/bsard", "licence": "CC BY-NC-SA 4.0"}

_CAVEAT = (
    "articles rebuilt from public law texts and matched to BSARD's ids: not comparable with published BSARD figures"
)


def read_bsard(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    """Read the official CSV files, or the packed ones with rebuilt articles as `bsard-rebuilt`.

    The packed layout may hold a `label_fixes.json`: BSARD ids whose rebuilt article lies next to the one meant, with
    the id of the article meant. The questions keep BSARD's own ids; the qrels get the corrected ones.
    """
    packed = find_file(source, "articles.jsonl.xz", "articles.jsonl")
    file = packed or need_file(source, "articles.csv", "articles_fr.csv", remedy=_LAYOUT)
    rows = read_jsonl(file) if packed else _read_csv(file, ("id", "article", "code"))
    articles = read_records(file, rows, article_of_code if packed else _article, skipped, progress=progress)
    law, documents = article_documents(articles, (f"{row.law}, art. {row.number}" for row in articles))
    ids, taken = {row.id: row.id for row in articles}, IdSet()
    fixes = _read_label_fixes(source / LABEL_FIXES, ids) if packed else {}
    questions: list[Question] = []
    for split in ("train", "test"):
        question_file, rows_of_split = _question_rows(source, split, packed=packed is not None)
        questions += read_questions(question_file, rows_of_split, _FIELDS, split, ids | fixes, skipped, taken)
    return Collection(
        name="bsard-rebuilt" if packed else "bsard",
        language="fr",
        documents=documents,
        queries=tuple(question.query for question in questions),
        qrels=answers(questions),
        law=law,
        source=_ABOUT
        | ({"data set": "BSARD-rebuilt", "caveat": _CAVEAT} if packed else {"data set": "BSARD"})
        | ({"label fixes": _describe_fixes(questions)} if fixes else {}),
    )


def _read_label_fixes(file: Path, article_ids: Mapping[str, str]) -> dict[str, str]:
    """Return BSARD id → id of the article meant; empty if the file does not exist."""
    if not file.exists():
        return {}
    with expect_shape(file, 'a list of {"label": "…", "article": "…"}'):
        fixes = {str(row["label"]): str(row["article"]) for row in read_list(file)}
    if unknown := sorted(set(fixes.values()) - article_ids.keys()):
        raise InputError(
            f"unknown article {unknown[0]!r}",
            code=ErrorCode.RECORD_INVALID,
            file=file,
            remedy="use the fixes and the articles of the same edition",
        )
    return fixes


def _describe_fixes(questions: Iterable[Question]) -> str:
    fixed = [question.fixed_labels for question in questions if question.fixed_labels]
    corrected = f"{sum(fixed)} labels of {len(fixed)} questions corrected by {LABEL_FIXES}"
    return f"{corrected}, whose evidence includes test questions"


def _question_rows(source: Path, split: str, *, packed: bool) -> tuple[Path, Iterable[tuple[int, Row]]]:
    if packed:
        file = source / f"questions.{split}.jsonl"
        return file, read_jsonl(file)
    file = need_file(source, f"questions_{split}.csv", f"questions_fr_{split}.csv", remedy=_LAYOUT)
    return file, (
        (line, {**row, "articles": str(row["article_ids"]).replace(",", " ").split()})
        for line, row in _read_csv(file, ("id", "question", "article_ids"))
    )


def _article(record: Record) -> ArticleRow:
    path = tuple(heading for name in _PATH if (heading := record.text(name, required=False)))
    code = record.text("code")
    number = record.text("reference", required=False) or record.text("article_no", required=False) or record.id
    number = number.split(",")[0].removeprefix("Art.").strip()
    return ArticleRow(record.id, code, code, number, path, record.text("article"))


def _read_csv(file: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, Row]]:
    reader = csv.DictReader(io.StringIO(read_text(file), newline=""))
    if missing := [name for name in columns if name not in (reader.fieldnames or ())]:
        problem = f"no column {', '.join(missing)}"
        raise InputError(problem, code=ErrorCode.FILE_MALFORMED, file=file, line=1, remedy=_LAYOUT)
    for row in reader:
        yield reader.line_num, row
