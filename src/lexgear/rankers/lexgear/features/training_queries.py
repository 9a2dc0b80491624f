"""Training queries with the ids of the documents that answer them; valid for any set of documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from lexgear.corpus.records import Collection, Query
from lexgear.files import read_json, write_json_list
from lexgear.lexical.words import segmenter
from lexgear.training.query_split import never_train_on, relevant

PART = "lessons.json"


class Question(NamedTuple):
    """A training query as words, and the ids of the documents that answer it."""

    id: str
    words: tuple[str, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrainingQueries:
    """Questions with their answers, and judgments that must not be learnt from."""

    questions: tuple[Question, ...] = ()
    barred: frozenset[str] = frozenset()
    """Judgments that test queries were drawn from."""

    @classmethod
    def of(cls, collection: Collection, queries: Sequence[Query]) -> TrainingQueries:
        """Segment queries of a collection and look up their answers."""
        segment = segmenter(collection.language)
        questions = (Question(one.id, tuple(segment(one.text)), tuple(relevant(collection, one))) for one in queries)
        return cls(tuple(questions), never_train_on(collection))

    def only(self, queries: Sequence[Query]) -> TrainingQueries:
        """Return these training queries without any others."""
        chosen = {query.id for query in queries}
        return replace(self, questions=tuple(one for one in self.questions if one.id in chosen))

    def save(self, path: Path) -> None:
        """Write JSON, one question per line."""
        write_json_list(path, [{"barred": sorted(self.barred)}, *(one._asdict() for one in self.questions)])

    @classmethod
    def load(cls, path: Path) -> TrainingQueries:
        """Read what `save` wrote."""
        [head, *rows] = read_json(path)
        questions = (Question(row["id"], tuple(row["words"]), tuple(row["answers"])) for row in rows)
        return cls(tuple(questions), frozenset(head["barred"]))
