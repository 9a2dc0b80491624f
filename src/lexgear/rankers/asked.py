"""What was asked before: training queries, and the documents that answered them.

A document is worth the squared TF-IDF cosines of a new query to the training queries it answered, summed: a question
asked again finds its articles, whatever words they use. On the test questions of BSARD-rebuilt this lifts R@10 from
.292 (BM25) to .580, on STARD from .463 to .575 (docs/lab.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.sparse import SparseWeights
from lexgear.search.scorer import LogP

Ints = NDArray[Any]


class Asked:
    """Training queries as unit vectors over the words of the documents, and what answered each."""

    def __init__(self, corpus: SparseWeights, queries: SparseWeights, answers: Ints, owners: Ints) -> None:
        self.corpus, self.queries = corpus, queries
        self.answers, self.owners = answers, owners
        """Documents by position, and beside each the query it answered."""
        found_in = np.diff(corpus.starts)
        self.rarity = np.log((corpus.document_count + 1) / (found_in + 1))

    @classmethod
    def of(cls, corpus: SparseWeights, texts: Sequence[Sequence[str]], answers: Sequence[Sequence[int]]) -> Asked:
        """From the words of the training queries and the documents relevant to each; `corpus` knows the words."""
        empty = np.zeros(0, dtype=np.int32)
        blank = SparseWeights(
            {}, np.zeros(len(corpus.words) + 1, np.int32), empty, empty.astype(np.float32), len(texts)
        )
        owners = np.repeat(np.arange(len(texts)), [len(row) for row in answers])
        asked = cls(corpus, blank, np.array([place for row in answers for place in row], dtype=np.int64), owners)
        vectors = [asked._vector(words) for words in texts]
        columns = np.array([word for vector in vectors for word in vector], dtype=np.int64)
        rows = np.repeat(np.arange(len(texts)), [len(vector) for vector in vectors])
        values = np.array([value for vector in vectors for value in vector.values()], dtype=np.float32)
        order = np.argsort(columns, kind="stable")
        starts = np.searchsorted(columns[order], np.arange(len(corpus.words) + 1)).astype(np.int32)
        asked.queries = SparseWeights({}, starts, rows[order].astype(np.int32), values[order], len(texts))
        return asked

    def scores(self, words: Sequence[str]) -> LogP:
        """For each document, by position, how near the words come to the queries it answered."""
        nearness = self.queries.dot(self._vector(words)).astype(np.float64) ** 2
        sums = np.bincount(self.answers, nearness[self.owners], self.corpus.document_count)
        return np.asarray(sums, dtype=np.float64)

    def save(self, path: Path) -> None:
        """Writes plain arrays."""
        self.queries.save(path, answers=self.answers, owners=self.owners)

    @classmethod
    def load(cls, path: Path, corpus: SparseWeights) -> Asked:
        """What `save` wrote."""
        queries, own = SparseWeights.load(path)
        return cls(corpus, queries, own["answers"], own["owners"])

    def _vector(self, words: Sequence[str]) -> dict[int, float]:
        known = Counter(self.corpus.known(words))
        vector = {word: count * float(self.rarity[word]) for word, count in known.items()}
        length = np.sqrt(sum(value * value for value in vector.values()))
        return {word: value / length for word, value in vector.items() if value > 0}
