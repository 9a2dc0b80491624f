"""Scores of documents by the training queries they answered.

A document has two scores: the sum of the squared TF-IDF cosines between the new query and the training queries the
document answered, and the largest of the cosines. A question asked again finds its articles, whatever words they use.
Chinese statutes rely on the sum, French ones and precedents without texts on the largest; the weights are learnt
(docs/lab.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from lexgear.lexical.sparse import SparseWeights
from lexgear.lexical.tf_idf import log_tf, smoothed_idf
from lexgear.rankers.lexgear.training_queries import Question
from lexgear.search.scorer import LogP

UNIT = 10.0
"""Factor that brings cosines to the scale of the other leaf scores."""
SAME = 0.999
"""Cosine from which two queries are the same."""


class PastQuestions:
    """Training queries as TF-IDF unit vectors, each with the documents that answered it."""

    def __init__(
        self,
        words: Mapping[str, int],
        rarity: LogP,
        queries: SparseWeights,
        answers: Sequence[Sequence[int]],
        count: int,
    ) -> None:
        self.words, self.rarity, self.queries, self.document_count = words, rarity, queries, count
        self.answers = np.array([at for row in answers for at in row], dtype=np.int64)
        """Documents by position."""
        self.owners = np.repeat(np.arange(len(answers)), [len(row) for row in answers])
        """The query of each answer."""

    @classmethod
    def of(cls, corpus: SparseWeights, questions: Sequence[Question], documents: Sequence[str]) -> PastQuestions:
        """Build the vectors; `corpus` has the words of the documents, whose ids are given by position.

        An answer that is not among the documents counts once it is added.
        """
        place = {name: at for at, name in enumerate(documents)}
        answers = [[place[name] for name in question.answers if name in place] for question in questions]
        words = dict(corpus.words)
        counts = [Counter(words.setdefault(word, len(words)) for word in question.words) for question in questions]
        found_in = np.append(np.diff(corpus.starts), np.zeros(len(words) - len(corpus.words)))
        for row in counts:
            found_in[list(row)] += 1
        rarity = smoothed_idf(found_in, len(documents) + len(questions))
        vectors = [_unit(row, rarity) for row in counts]
        columns = np.array([word for vector in vectors for word in vector], dtype=np.int64)
        rows = np.repeat(np.arange(len(vectors)), [len(vector) for vector in vectors]).astype(np.int32)
        values = np.array([value for vector in vectors for value in vector.values()], dtype=np.float32)
        order = np.argsort(columns, kind="stable")
        starts = np.searchsorted(columns[order], np.arange(len(words) + 1)).astype(np.int32)
        queries = SparseWeights({}, starts, rows[order], values[order], len(vectors))
        return cls(words, rarity, queries, answers, len(documents))

    def scores(self, words: Sequence[str], *, again: bool = True) -> tuple[LogP, LogP]:
        """Return for each document the sum of squared cosines and the largest cosine with the queries it answered.

        Without `again`, a training query equal to the words is ignored: to learn from a query, only others may count.
        """
        counts = Counter(self.words[word] for word in words if word in self.words)
        nearness = self.queries.dot(_unit(counts, self.rarity)).astype(np.float64)
        if not again:
            nearness[nearness > SAME] = 0
        summed, nearest = np.zeros(self.document_count), np.zeros(self.document_count)
        np.add.at(summed, self.answers, UNIT * nearness[self.owners] ** 2)
        np.maximum.at(nearest, self.answers, UNIT * nearness[self.owners])
        return summed, nearest


def _unit(counts: Mapping[int, int], rarity: LogP) -> dict[int, float]:
    vector = {word: float(log_tf(count) * rarity[word]) for word, count in counts.items()}
    length = np.sqrt(sum(value * value for value in vector.values()))
    return {word: value / length for word, value in vector.items() if value > 0}
