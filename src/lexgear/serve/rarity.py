"""How much a word tells, by how few documents of an index have it."""

from __future__ import annotations

from collections.abc import Callable

from lexgear.api import Index
from lexgear.lexical.sparse import SparseWeights
from lexgear.rankers.lexgear import Lexgear
from lexgear.rankers.words import WordRanker

Rarity = Callable[[str], float]


def rarity_of(index: Index) -> Rarity:
    """The weight BM25 gives a word; 1 for all where the ranker counts no words."""
    weights = _weights(index)
    return weights.rarity if weights else lambda word: 1.0


def _weights(index: Index) -> SparseWeights | None:
    if isinstance(index.ranker, Lexgear):
        return index.ranker.shelf.bm25.weights
    return index.ranker.weights if isinstance(index.ranker, WordRanker) else None
