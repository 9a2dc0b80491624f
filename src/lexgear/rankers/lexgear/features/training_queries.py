"""Training queries with the ids of the documents that answer them; valid for any set of documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.files import PartsDirectory, has_surrogate, read_json, write_json_list
from lexgear.lexical.array_checks import FLOATS, check_array
from lexgear.lexical.words import segmenter
from lexgear.rankers.lexgear.features.document_vectors import MAX_VALUE
from lexgear.training.query_split import never_train_on, relevant

PART, VECTORS = "lessons.json", "question-vectors.npy"
Vectors = NDArray[np.float32]


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
    vectors: Vectors = field(default_factory=lambda: np.zeros((0, 0), np.float32), compare=False)
    """The encoder's unit vectors of the questions; of width 0 if there is no encoder."""

    @classmethod
    def of(cls, collection: Collection, queries: Sequence[Query]) -> TrainingQueries:
        """Segment queries of a collection and look up their answers."""
        segment = segmenter(collection.language)
        questions = (Question(one.id, tuple(segment(one.text)), tuple(relevant(collection, one))) for one in queries)
        return cls(tuple(questions), never_train_on(collection))

    def only(self, queries: Sequence[Query]) -> TrainingQueries:
        """Return these training queries without any others."""
        chosen = {query.id for query in queries}
        kept = [at for at, one in enumerate(self.questions) if one.id in chosen]
        vectors = self.vectors[kept] if self.vectors.size else self.vectors
        return replace(self, questions=tuple(self.questions[at] for at in kept), vectors=vectors)

    def save(self, directory: PartsDirectory) -> None:
        """Write JSON, one question per line, and the vectors in half precision, to which they were rounded."""
        rows = [{"barred": sorted(self.barred)}, *(one._asdict() for one in self.questions)]
        write_json_list(directory / PART, rows)
        np.save(directory / VECTORS, self.vectors.astype(np.float16), allow_pickle=False)

    @classmethod
    def load(cls, directory: PartsDirectory) -> TrainingQueries:
        """Read what `save` wrote; indexes of earlier versions have no vectors of questions."""
        [head, *rows] = read_json(directory / PART)
        questions = tuple(_question(row) for row in rows)
        if len({one.id for one in questions}) < len(questions):
            raise ValueError("two training queries have the same id")
        loaded, stored = cls(questions, frozenset(_texts(head["barred"]))), directory / VECTORS
        if not stored.exists():
            return loaded
        vectors = np.load(stored, allow_pickle=False)
        check_array(stored, "vectors", vectors, FLOATS, (len(rows) if vectors.size else -1, -1), -MAX_VALUE, MAX_VALUE)
        return replace(loaded, vectors=vectors.astype(np.float32))


def _question(row: Any) -> Question:
    """Return the question of a row; raise ValueError for one that `save` does not write."""
    answers = _texts(row["answers"])
    if len(set(answers)) < len(answers):
        raise ValueError("a training query has the same answer twice")
    [name] = _texts([row["id"]])
    return Question(name, _texts(row["words"]), answers)


def _texts(values: Any) -> tuple[str, ...]:
    """Return a list of ids or words; no id and no word contains a lone surrogate."""
    are_texts = isinstance(values, list) and all(isinstance(one, str) and one for one in values)
    if not are_texts or has_surrogate("".join(values)):
        raise ValueError("a training query has something else than texts")
    return tuple(values)
