"""BM25 over words: Robertson et al., TREC-3 (1994); Lucene's variant, as bm25s computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Query
from lexgear.lexical.word_index import Weigh, bm25_weights
from lexgear.rankers.words.word_ranker import WordRanker, WordSettings
from lexgear.settings import within


@dataclass(frozen=True, slots=True)
class BM25Settings(WordSettings):
    """Settings of `bm25`."""

    k1: float = 1.5
    """Saturation of repeated words."""
    b: float = 0.75
    """Penalty of long documents, from 0 to 1."""

    def __post_init__(self) -> None:
        WordSettings.__post_init__(self)
        within("k1", self.k1, 0, 1000)
        within("b", self.b, 0, 1)


class BM25(WordRanker):
    """Sums the weights of the query's words; a document with none of them is not found."""

    name = "bm25"
    settings_type = BM25Settings

    def weigh(self) -> Weigh:
        """Return the BM25 weight of a word in a document."""
        return bm25_weights(self.settings.k1, self.settings.b)

    def scores(self, query: Query) -> NDArray[Any]:
        """Return the sum over the query's words; minus infinity if it is zero."""
        sums = self.index.sums(self.segment(query.text))
        sums[sums == 0] = -np.inf
        return sums
