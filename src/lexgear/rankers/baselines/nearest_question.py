"""The nearest training question: what any ranker of statutes must beat where the same articles answer again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, ScoredId
from lexgear.rankers.explanation import Explanation
from lexgear.rankers.lexgear.past_questions import Asked
from lexgear.rankers.lexgear.training_queries import LESSONS, Lessons
from lexgear.rankers.scope import Scope
from lexgear.rankers.words.bm25 import BM25
from lexgear.training.query_split import split_queries


class NearestQuestion(BM25):
    """A document is as good as the nearest question it answered (TF-IDF cosine); others are no answer at all."""

    name = "nearest_question"
    summary = "trivial: the answers of the nearest training query, by the cosine of their words"
    lessons: Lessons
    answered: Asked

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Remembers the training queries and what answered them."""
        super().fit(collection, progress)
        queries, _ = split_queries(collection, 0.0, 0)
        if not queries:
            raise InputError(f"{collection.name} has no training query with an answer", remedy="use --ranker bm25")
        return self._taught(Lessons.of(collection, queries))

    def scores(self, query: Query) -> NDArray[Any]:
        """The cosine to the nearest question, in the units of `lexgear`'s leaf."""
        _, nearest = self.answered.scores(self.segment(query.text))
        return np.where(nearest > 0, nearest, -np.inf)

    def explained(self, query: Query, k: int, scope: Scope = EVERYTHING) -> list[tuple[ScoredId, Explanation | None]]:
        """The hits; what was asked before is all there is."""
        [hits] = self.search([query], k, scope)
        return [(hit, Explanation(0.0, 0.0, 0.0, asked=hit.score)) for hit in hits]

    def grown(self, collection: Collection, progress: Progress = silent) -> Self:
        """The same over other documents."""
        return super().grown(collection, progress)._taught(self.lessons)

    def save(self, directory: Path) -> None:
        """Writes words and questions."""
        super().save(directory)
        self.lessons.save(directory / LESSONS)

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        return super().load(directory, settings)._taught(Lessons.load(directory / LESSONS))

    def _taught(self, lessons: Lessons) -> Self:
        self.lessons, self.answered = lessons, Asked.of(self.weights, lessons.questions, self.documents)
        return self
