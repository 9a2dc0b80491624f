"""How much a word tells, by how few documents of an index have it."""

from __future__ import annotations

from collections.abc import Callable
from math import log

from lexgear.api import Index
from lexgear.lexical.sparse import SparseWeights
from lexgear.rankers.lexgear import Lexgear
from lexgear.rankers.words import WordRanker

Rarity = Callable[[str], float]


def rarity_of(index: Index) -> Rarity:
    """The weight BM25 gives a word; 1 for all where the ranker counts no words."""
    weights = _weights(index)
    if weights is None:
        return lambda word: 1.0

    def rarity(word: str) -> float:
        number = weights.words.get(word)
        found_in = 0 if number is None else int(weights.starts[number + 1] - weights.starts[number])
        return log(1 + (weights.document_count - found_in + 0.5) / (found_in + 0.5))

    return rarity


def _weights(index: Index) -> SparseWeights | None:
    if isinstance(index.ranker, Lexgear):
        return index.ranker.shelf.bm25.weights
    return index.ranker.weights if isinstance(index.ranker, WordRanker) else None
