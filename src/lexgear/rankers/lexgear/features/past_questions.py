"""Scores of documents by the training queries they answered.

A document has two scores: the sum of the squared TF-IDF cosines between the new query and the training queries the
document answered, and the largest of the cosines. A repeated question finds its articles, whatever words they use.
Chinese statutes rely on the sum, French ones and precedents without texts on the largest; the weights are learnt
(docs/lab.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from lexgear.lexical.sparse import SparseWeights
from lexgear.lexical.tf_idf import log_tf, smoothed_idf
from lexgear.rankers.lexgear.features.training_queries import Question
from lexgear.search.scorer import LogP

SCALE = 10.0
"""Factor that brings cosines to the scale of the other leaf scores."""
MIN_SAME_COSINE = 0.999
"""Cosine from which two queries are the same."""


class PastQuestions:
    """Training queries as TF-IDF unit vectors, each with the documents that answered it."""

    def __init__(
        self,
        words: Mapping[str, int],
        idf: LogP,
        queries: SparseWeights,
        answers: Sequence[Sequence[int]],
        count: int,
    ) -> None:
        self.words, self.idf, self.queries, self.document_count = words, idf, queries, count
        self.answers = np.array([position for row in answers for position in row], dtype=np.int64)
        """Documents by position."""
        self.owners = np.repeat(np.arange(len(answers)), [len(row) for row in answers])
        """The query of each answer."""

    @classmethod
    def of(cls, corpus: SparseWeights, questions: Sequence[Question], documents: Sequence[str]) -> PastQuestions:
        """Build the vectors; `corpus` has the words of the documents, whose ids are given by position.

        An answer that is not among the documents is ignored; it counts once the document is added.
        """
        positions = {name: position for position, name in enumerate(documents)}
        answers = [[positions[name] for name in question.answers if name in positions] for question in questions]
        words = dict(corpus.words)
        counts = [Counter(words.setdefault(word, len(words)) for word in question.words) for question in questions]
        frequency = np.append(np.diff(corpus.starts), np.zeros(len(words) - len(corpus.words)))
        for row in counts:
            frequency[list(row)] += 1
        idf = smoothed_idf(frequency, len(documents) + len(questions))
        vectors = [_unit_vector(row, idf) for row in counts]
        columns = np.array([word for vector in vectors for word in vector], dtype=np.int64)
        rows = np.repeat(np.arange(len(vectors)), [len(vector) for vector in vectors]).astype(np.int32)
        values = np.array([value for vector in vectors for value in vector.values()], dtype=np.float32)
        order = np.argsort(columns, kind="stable")
        starts = np.searchsorted(columns[order], np.arange(len(words) + 1)).astype(np.int32)
        queries = SparseWeights({}, starts, rows[order], values[order], len(vectors))
        return cls(words, idf, queries, answers, len(documents))

    def scores(self, words: Sequence[str], *, include_same: bool = True) -> tuple[LogP, LogP]:
        """Return for each document the sum of squared cosines and the largest cosine with the queries it answered.

        Without `include_same`, training queries equal to the words are ignored: weights are learnt from other queries.
        """
        counts = Counter(self.words[word] for word in words if word in self.words)
        nearness = self.queries.dot(_unit_vector(counts, self.idf)).astype(np.float64)
        if not include_same:
            nearness[nearness > MIN_SAME_COSINE] = 0
        summed, nearest = np.zeros(self.document_count), np.zeros(self.document_count)
        np.add.at(summed, self.answers, SCALE * nearness[self.owners] ** 2)
        np.maximum.at(nearest, self.answers, SCALE * nearness[self.owners])
        return summed, nearest


def _unit_vector(counts: Mapping[int, int], idf: LogP) -> dict[int, float]:
    vector = {word: float(log_tf(count) * idf[word]) for word, count in counts.items()}
    length = np.sqrt(sum(value * value for value in vector.values()))
    return {word: value / length for word, value in vector.items() if value > 0}
