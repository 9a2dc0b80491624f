"""Scores of documents by the training queries they answered.

Training queries near the new query vote for the documents that answered them. A document has two scores: its share of
the vote, and the largest nearness of the queries it answered. Both are bounded, however many queries a document
answered. Nearness is the TF-IDF cosine of the words; if there is an encoder, its mean with the cosine of the vectors,
which is first stretched so that unrelated queries have 0 (docs/lab.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.sparse import SparseWeights
from lexgear.lexical.tf_idf import log_tf, smoothed_idf
from lexgear.lexical.word_index import WordIndex
from lexgear.rankers.document_ids import DocumentIds
from lexgear.rankers.lexgear.features.training_queries import Question
from lexgear.search.scorer import LogP

Vectors = NDArray[np.float32]
SCALE = 10.0
"""Factor that brings nearness to the scale of the other leaf scores: the most that a past question can give."""
VOTE_SHARPNESS = 10.0
"""Factor of the nearness in the softmax of the vote."""
MIN_SAME_COSINE = 0.999
"""Cosine from which two queries are the same."""


class PastQuestions:
    """Training queries as TF-IDF unit vectors, each with the documents that answered it."""

    def __init__(
        self,
        corpus: WordIndex,
        numbers: Mapping[str, int],
        frequency: NDArray[np.float64],
        queries: SparseWeights,
        answers: Sequence[Sequence[int]],
        documents: DocumentIds,
        vectors: Vectors,
    ) -> None:
        self.corpus, self.numbers, self.frequency, self.queries = corpus, numbers, frequency, queries
        self.document_count, self.text_count = len(documents), documents.live_count + queries.document_count
        self.vectors = vectors
        """The encoder's unit vectors of the training queries; of width 0 if there is no encoder."""
        self.answers = np.array([position for row in answers for position in row], dtype=np.int64)
        """Documents by position."""
        self.owners = np.repeat(np.arange(len(answers)), [len(row) for row in answers])
        """The query of each answer."""

    @classmethod
    def of(
        cls,
        corpus: WordIndex,
        questions: Sequence[Question],
        documents: DocumentIds,
        vectors: Vectors | None = None,
    ) -> PastQuestions:
        """Build the vectors of words; `corpus` has the words of the documents, whose ids are given by position.

        An answer that is not among the documents is ignored; it counts once the document is added.
        """
        answers = [documents.positions(question.answers) for question in questions]
        words: dict[str, int] = {}
        counts = [Counter(words.setdefault(word, len(words)) for word in question.words) for question in questions]
        asked = np.zeros(len(words))
        for row in counts:
            asked[list(row)] += 1
        idf = smoothed_idf(asked + corpus.statistics(tuple(words)).df, documents.live_count + len(questions))
        unit = [_unit_vector(row, idf) for row in counts]
        columns = np.array([word for vector in unit for word in vector], dtype=np.int64)
        rows = np.repeat(np.arange(len(unit)), [len(vector) for vector in unit]).astype(np.int32)
        values = np.array([value for vector in unit for value in vector.values()], dtype=np.float32)
        order = np.argsort(columns, kind="stable")
        starts = np.searchsorted(columns[order], np.arange(len(words) + 1))
        queries = SparseWeights({}, starts, rows[order], values[order], len(unit))
        encoded = np.zeros((len(questions), 0), np.float32) if vectors is None or not vectors.size else vectors
        return cls(corpus, words, asked, queries, answers, documents, encoded)

    def scores(
        self, words: Sequence[str], vector: LogP | None = None, *, include_same: bool = True
    ) -> tuple[LogP, LogP]:
        """Return for each document its share of the vote and the largest nearness of the queries it answered.

        Without `include_same`, training queries equal to the words are ignored: weights are learnt from other queries.
        """
        share, nearest = np.zeros(self.document_count), np.zeros(self.document_count)
        if not len(self.vectors):
            return share, nearest
        nearness = self.queries.dot(self._query_vector(Counter(words))).astype(np.float64)
        others = np.ones(len(nearness), dtype=bool) if include_same else nearness <= MIN_SAME_COSINE
        if vector is not None and self.vectors.shape[1]:
            nearness = (nearness + _stretched(self.vectors @ vector, others)) / 2
        votes = np.where(others & (nearness > 0), np.exp(VOTE_SHARPNESS * nearness), 0)
        votes /= max(votes.sum(), 1e-9)
        np.add.at(share, self.answers, SCALE * votes[self.owners])
        np.maximum.at(nearest, self.answers, SCALE * (others * nearness)[self.owners])
        return share, nearest

    def _query_vector(self, counts: Mapping[str, int]) -> dict[int, float]:
        """Return the unit vector of a query; words of no training query count in its length alone."""
        numbers = [self.numbers.get(word, -1) for word in counts]
        asked = np.array([self.frequency[number] if number >= 0 else 0.0 for number in numbers])
        frequency = asked + self.corpus.statistics(tuple(counts)).df
        idf, times = smoothed_idf(frequency, self.text_count), list(counts.values())
        known = {at: times[at] for at in np.flatnonzero(frequency).tolist()}
        vector = _unit_vector(known, idf)
        return {numbers[at]: value for at, value in vector.items() if numbers[at] >= 0}


def _stretched(cosines: LogP, others: NDArray[np.bool_]) -> LogP:
    """Return cosines with their mean moved to 0; those below are 0 too. Vectors of any two texts may be close."""
    mean = float(cosines[others].mean()) if others.any() else 0.0
    return np.asarray(np.clip((cosines - mean) / max(1 - mean, 1e-6), 0, 1), dtype=np.float64)


def _unit_vector(counts: Mapping[int, int], idf: LogP) -> dict[int, float]:
    vector = {word: float(log_tf(count) * idf[word]) for word, count in counts.items()}
    length = np.sqrt(sum(value * value for value in vector.values()))
    return {word: value / length for word, value in vector.items() if value > 0}
