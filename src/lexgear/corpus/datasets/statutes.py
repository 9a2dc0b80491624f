"""Statutory articles as documents and citizens' questions as queries: code shared by several data sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lexgear.corpus.datasets.reader import Record, Row, UnusableError, read_records
from lexgear.corpus.id_set import IdSet
from lexgear.corpus.records import Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.law.tables import ArticleRow, tree_from_table
from lexgear.law.tree import LawTree


@dataclass(frozen=True, slots=True)
class Question:
    """A citizen's question with the ids of the articles that answer it."""

    query: Query
    articles: tuple[str, ...]
    fixed_labels: int = 0
    """Number of labels that were wrong in the source and have been corrected."""

    @property
    def id(self) -> str:
        """Id of the query."""
        return self.query.id


def article_documents(rows: Sequence[ArticleRow], titles: Iterable[str]) -> tuple[LawTree, tuple[Document, ...]]:
    """Return the law tree of the articles, and each article as a document with its law node.

    Only the documents hold the texts: in the law tree they would double STARD's 33 MB.
    """
    law, places = tree_from_table(replace(row, text="") for row in rows)
    documents = (
        Document(row.id, {"text": row.text} if row.text else {}, title, node=places[row.id])
        for row, title in zip(rows, titles, strict=True)
    )
    return law, tuple(documents)


def article_of_code(record: Record) -> ArticleRow:
    """Return the article of a row with `code`, `number`, `path` and `text`."""
    # Twelve repealed articles of BSARD-rebuilt have a place in the law but no text; they are kept.
    code, text = record.text("code"), record.text("text", required=False)
    return ArticleRow(record.id, code, code, record.text("number"), record.texts("path"), text)


@dataclass(frozen=True, slots=True)
class QuestionFields:
    """Field names of a question in the source."""

    text: str
    articles: str
    id: str = "id"
    complete: str = ""
    """Name of a field that is false if the source lacks an article that answers the question."""
    train_on_incomplete: bool = False
    """If true, training questions that lack an article are kept for training alone; otherwise they are skipped."""


def read_questions(
    file: Path,
    rows: Iterable[tuple[int | None, Row]],
    fields: QuestionFields,
    split: str,
    article_ids: Mapping[str, str],
    skipped: SkippedRecords,
    taken: IdSet,
) -> tuple[Question, ...]:
    """Return the questions whose articles are all known; skip the others, or keep them for training alone.

    A question that lost one of its articles would count correct results as wrong. `taken` holds the ids of the
    questions in other files and is extended. `article_ids` maps each label to its article: itself, unless the label is
    known to be wrong.
    """

    def question(record: Record) -> Question:
        labels = record.texts(fields.articles)
        if not labels:
            raise UnusableError("no articles")
        incomplete = not record.row.get(fields.complete, True)
        skips_incomplete = split != "train" or not fields.train_on_incomplete
        if not article_ids.keys() >= set(labels) or (incomplete and skips_incomplete):
            raise UnusableError("an article that answers it is not in the corpus")
        articles = tuple(dict.fromkeys(article_ids[label] for label in labels))
        fixed = sum(article_ids[label] != label for label in labels)
        query = Query(record.id, record.text(fields.text), split=split, incomplete_labels=incomplete)
        return Question(query, articles, fixed)

    return read_records(file, rows, question, skipped, id_field=fields.id, taken=taken)


def answers(questions: Iterable[Question]) -> dict[str, dict[str, int]]:
    """Return the qrels of questions: every article that answers one has grade 1."""
    return {question.id: dict.fromkeys(question.articles, 1) for question in questions}
