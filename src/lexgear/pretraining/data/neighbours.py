"""Nearest cases by BM25 over facts, for thousands of texts at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.sparse import SparseWeights
from lexgear.lexical.tf_idf import positive_idf
from lexgear.progress import Progress, silent

MAX_WORDS = 64
"""Highest-weighted words used per text; frequent words would make the search many times slower."""
_BATCH_SIZE = 256


class Facts:
    """BM25 index over the facts of all cases."""

    def __init__(self, texts: Sequence[Sequence[str]], *, k1: float = 1.5, b: float = 0.75) -> None:
        from scipy.sparse import csc_matrix

        sparse = SparseWeights.bm25(texts, k1=k1, b=b)
        parts = (sparse.weights, sparse.documents, sparse.starts)
        self.words = sparse.words
        self.weights = csc_matrix(parts, shape=(len(texts), len(sparse.words))).tocsr()
        known = np.diff(sparse.starts)
        # A word that occurs in one case only, mostly a name, cannot lead to another case.
        self._rarity = np.where(known > 1, positive_idf(np.maximum(known, 1), len(texts)), 0.0)

    def nearest(
        self, texts: Sequence[Sequence[str]], own: NDArray[Any], k: int, progress: Progress = silent
    ) -> tuple[NDArray[np.int32], NDArray[np.float16]]:
        """Return the k nearest cases of each text except its own, and their scores relative to its own case.

        A score of 1 means the same words as in its own facts. Missing cases are −1 with score 0.
        """
        count = self.weights.shape[0]
        found = np.full((len(texts), k), -1, dtype=np.int32)
        scores = np.zeros((len(texts), k), dtype=np.float16)
        most = min(k, count - 1)
        for start in range(0, len(texts) if most > 0 else 0, _BATCH_SIZE):
            some = texts[start : start + _BATCH_SIZE]
            asked = self._telling(some)
            all_scores = np.asarray((asked @ self.weights.T).todense())
            rows, mine = np.arange(len(some)), own[start : start + len(some)]
            full = all_scores[rows, mine].copy()
            all_scores[rows, mine] = -1
            best = np.argpartition(-all_scores, most - 1, axis=1)[:, :most]
            order = np.take_along_axis(best, np.argsort(-np.take_along_axis(all_scores, best, 1), 1, "stable"), 1)
            share = np.take_along_axis(all_scores, order, 1) / np.maximum(full, 1e-6)[:, None]
            found[start : start + len(some), :most] = np.where(share > 0, order, -1)
            scores[start : start + len(some), :most] = np.clip(share, 0, 1)
            progress(start + len(some), len(texts))
        return found, scores

    def _telling(self, texts: Sequence[Sequence[str]]) -> Any:
        from scipy.sparse import csr_matrix

        numbers, starts = [], [0]
        for text in texts:
            counted = Counter(self.words[word] for word in text if word in self.words)
            known, times = (np.array(list(part), dtype=np.int64) for part in (counted.keys(), counted.values()))
            weight = self._rarity[known] * times / (times + 1.5)
            numbers.append(known[np.argsort(-weight, kind="stable")[:MAX_WORDS]])
            starts.append(starts[-1] + len(numbers[-1]))
        columns = np.concatenate([*numbers, np.empty(0, dtype=np.int64)])
        parts = (np.ones(len(columns), dtype=np.float32), columns, np.array(starts))
        return csr_matrix(parts, shape=(len(texts), len(self.words)))
