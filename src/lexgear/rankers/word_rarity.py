"""Rarity of words in an index: the weight BM25 gives a word."""

from __future__ import annotations

from collections.abc import Callable

from lexgear.lexical.sparse import SparseWeights
from lexgear.rankers.base import Ranker
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.words.word_ranker import WordRanker

Rarity = Callable[[str], float]


def rarity_of(ranker: Ranker) -> Rarity:
    """Return the function from a word to its BM25 weight; 1 for every word if the ranker counts no words."""
    weights = _weights(ranker)
    return weights.idf if weights else lambda word: 1.0


def _weights(ranker: Ranker) -> SparseWeights | None:
    if isinstance(ranker, Lexgear):
        return ranker.shelf.bm25.weights
    return ranker.weights if isinstance(ranker, WordRanker) else None
