"""What was asked before: training queries, and the documents that answered them.

A document is worth the squared TF-IDF cosines of a new query to the training queries it answered, summed, and the
largest of the cosines: a question asked again finds its articles, whatever words they use. Chinese statutes go by the
sum, French ones and precedents without texts by the largest; the weights are learnt (docs/lab.md).
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
"""Brings cosines to the scale of the other parts of a leaf's score."""
SAME = 0.999


class Asked:
    """Training queries as unit vectors over the words of the documents and their own, and what answered each."""

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
        """Beside each answer the query that it answered."""

    @classmethod
    def of(cls, corpus: SparseWeights, questions: Sequence[Question], documents: Sequence[str]) -> Asked:
        """From training queries and the ids of the documents, by position; `corpus` knows the words of these.

        An answer that is not among the documents says nothing, until it comes.
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
        """How near the words come to the queries each document answered: squared cosines summed, and the largest.

        A training query asked again knows its own answers; to learn from it, look at the others alone.
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
