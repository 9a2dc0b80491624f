"""What a query generator learns from: documents and what might be asked of them.

A training query for every document that answers it; where these are few, the documents themselves: some sentences of
the facts, the names of charges masked, are what might be asked. Queries are facts of a whole case, too long to be
written: those clauses are asked that share most with the document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

import numpy as np

from lexgear.corpus.records import Collection, Document, Query
from lexgear.law.charges import shipped_charges
from lexgear.lexical.tf_idf import positive_idf
from lexgear.lexical.words import segmenter
from lexgear.training.query_split import relevant, trainable_judgments

CLAUSES = 3
"""That are asked together."""
_CLAUSE = re.compile(r"[^，,。；;：:！!？?\n]+[，,。；;：:！!？?\n]*")


class Pair(NamedTuple):
    """A document, by position and as it is read, and what might be asked of it."""

    document: int
    text: str
    query: str


def writing_pairs(
    collection: Collection, queries: Sequence[Query], texts: Sequence[str], count: int, seed: int
) -> list[Pair]:
    """All pairs that the queries give, and as many of the documents' own as are missing to `count`."""
    place = {document.id: position for position, document in enumerate(collection.documents)}
    telling = _Telling(collection.language, texts)
    found = [
        Pair(at, texts[at], telling.pieces(query.text, at)[0])
        for query in queries
        for at in (place[name] for name in relevant(collection, query))
    ]
    chance, permitted = np.random.default_rng(seed), trainable_judgments(collection)
    missing = max(count - len(found), 0)
    rounds = -(-missing // max(len(permitted), 1))
    order = chance.permutation(permitted).tolist()
    for turn in range(rounds):
        for at in order[: missing - turn * len(permitted)]:
            pieces = telling.pieces(_facts(collection.documents[at]), at)
            piece = pieces[turn % len(pieces)]
            found.append(Pair(at, texts[at], shipped_charges().masked(piece)))
    return [pair for pair in found if pair.query.strip()]


class _Telling:
    """What a document is about, by the words it shares with few others."""

    def __init__(self, language: str, texts: Sequence[str]) -> None:
        self._cut = segmenter(language)
        self._words = [Counter(filter(_tells, self._cut(text))) for text in texts]
        times = Counter(word for words in self._words for word in words)
        self._weight = {word: float(positive_idf(count, len(texts))) for word, count in times.items()}

    def pieces(self, text: str, document: int) -> list[str]:
        """A few clauses each, those first that share most with the rest of a document."""
        clauses = _CLAUSE.findall(text) or [text]
        last = max(len(clauses) - CLAUSES + 1, 1)
        pieces = ["".join(clauses[first : first + CLAUSES]) for first in range(last)]
        return sorted(pieces, key=lambda piece: -self._shared(piece, document))

    def _shared(self, piece: str, document: int) -> float:
        """Weight of the words that stand in a document and in the piece; what stands there once may be the piece."""
        own, words = self._words[document], set(self._cut(piece))
        # Exact: a set has another order every time, and so would a sum.
        shared = fsum(self._weight[word] for word in words if own[word] > 1)
        return float(shared / max(len(words), 1) ** 0.5)


def _tells(word: str) -> bool:
    """Whether a word says more than a date or a name left out."""
    return len(word) > 1 and word.isalpha() and "某" not in word


def _facts(document: Document) -> str:
    return document.sections.get("fact", "") or document.text
