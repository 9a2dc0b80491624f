"""The nearest training question: every ranker of statutes must beat it if the same articles answer again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.rankers.document_ids import search_by_scores
from lexgear.rankers.explanation import Explanation
from lexgear.rankers.lexgear.features.past_questions import PastQuestions
from lexgear.rankers.lexgear.features.training_queries import TrainingQueries
from lexgear.rankers.scope import Scope
from lexgear.rankers.words.bm25 import BM25, BM25Settings
from lexgear.training.query_split import split_queries


class NearestQuestion(Ranker):
    """Scores a document by the nearest training question it answered (TF-IDF cosine); others are not found."""

    name = "nearest_question"
    settings_type = BM25Settings
    words: BM25
    """The words of the documents, for the rarity of words."""
    training_queries: TrainingQueries
    past_questions: PastQuestions

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Keep the training queries and what answered them."""
        words = BM25(self.settings)._fit(collection, progress)
        queries, _ = split_queries(collection, 0.0, 0)
        if not queries:
            raise InputError(
                f"{collection.name} has no training query with an answer",
                code=ErrorCode.NOTHING_TO_LEARN,
                remedy="use the ranker bm25",
            )
        return self._over(words, TrainingQueries.of(collection, queries))

    def _with_documents(self, collection: Collection, progress: Progress) -> Self:
        """Return this ranker over other documents."""
        other = type(self)(self.settings)
        return other._over(self.words._with_documents(collection, progress), self.training_queries)

    def scores(self, query: Query) -> NDArray[Any]:
        """Return the cosine with the nearest question, in the units of `lexgear`'s leaf score."""
        _, nearest = self.past_questions.scores(self.words.segment(query.text))
        return np.where(nearest > 0, nearest, -np.inf)

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        return search_by_scores(self.words.documents, self.scores, queries, k, scope, progress)

    def _search_explained(self, query: Query, k: int, scope: Scope) -> list[tuple[ScoredId, Explanation | None]]:
        [hits] = self._search([query], k, scope, silent)
        return [(hit, Explanation(0.0, 0.0, 0.0, past_questions=hit.score)) for hit in hits]

    def word_rarity(self, word: str) -> float:
        """Return the BM25 weight of a word by its rarity."""
        return self.words.word_rarity(word)

    def save(self, directory: PartsDirectory) -> None:
        """Write words and questions."""
        self.words.save(directory)
        self.training_queries.save(directory)

    @classmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote."""
        return cls(settings)._over(BM25.load(directory, settings), TrainingQueries.load(directory))

    def _over(self, words: BM25, queries: TrainingQueries) -> Self:
        self.words, self.training_queries = words, queries
        self.past_questions = PastQuestions.of(words.index, queries.questions, words.documents)
        return self
