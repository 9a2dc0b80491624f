"""Reader of servicepublic: titles of French administrative information sheets and the code articles that they cite."""

from __future__ import annotations

from pathlib import Path

from lexgear.corpus.datasets.reader import need_file, read_records
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
from lexgear.files import read_jsonl
from lexgear.progress import Progress

# `extra`, a summary of the sheet, often contains the answer and is not read.
_FIELDS = QuestionFields(text="question", articles="articles", complete="rebuilt", train_on_incomplete=True)
_LAYOUT = "give the directory with articles.jsonl.xz, questions.train.jsonl and questions.test.jsonl"


def read_servicepublic(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    """Read the packed layout; training questions that lack an article are kept for training alone."""
    file = need_file(source, "articles.jsonl.xz", "articles.jsonl", remedy=_LAYOUT)
    articles = read_records(file, read_jsonl(file), article_of_code, skipped, progress=progress)
    law, documents = article_documents(articles, (f"{row.law}, art. {row.number}" for row in articles))
    ids, taken = {row.id: row.id for row in articles}, IdSet()
    questions: list[Question] = []
    for split in ("train", "test"):
        rows = source / f"questions.{split}.jsonl"
        questions += read_questions(rows, read_jsonl(rows), _FIELDS, split, ids, skipped, taken)
    incomplete = sum(question.query.incomplete_labels for question in questions)
    return Collection(
        name="servicepublic",
        language="fr",
        documents=documents,
        queries=tuple(question.query for question in questions),
        qrels=answers(questions),
        law=law,
        source={
            "data set": "servicepublic",
            "url": "https://www.service-public.gouv.fr, https://www.legifrance.gouv.fr",
            "licence": "Licence Ouverte 2.0",
            "incomplete labels": f"{incomplete} training questions lack articles and serve for training alone",
        },
    )
