"""Training pairs of a query generator: documents and queries about them.

Every training query is paired with each document that answers it. If these pairs are too few, clauses of a document's
facts, with charge names masked, serve as further queries. Training queries are the facts of a whole case and too long
to generate, so each is reduced to the clauses that share most with the document.
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

CLAUSES_PER_QUERY = 3
_CLAUSE = re.compile(r"[^，,。；;：:！!？?\n]+[，,。；;：:！!？?\n]*")


class Pair(NamedTuple):
    """A document, by position and as a model reads it, with a query about it."""

    document: int
    text: str
    query: str


def writing_pairs(
    collection: Collection, queries: Sequence[Query], texts: Sequence[str], count: int, seed: int
) -> list[Pair]:
    """Return the pairs of all training queries, filled up to `count` with pairs from the documents themselves."""
    positions = {document.id: position for position, document in enumerate(collection.documents)}
    clauses = _ClauseSelector(collection.language, texts)
    found = [
        Pair(position, texts[position], clauses.excerpts(query.text, position)[0])
        for query in queries
        for position in (positions[name] for name in relevant(collection, query))
    ]
    rng, permitted = np.random.default_rng(seed), trainable_judgments(collection)
    missing = max(count - len(found), 0)
    rounds = -(-missing // max(len(permitted), 1))
    order = rng.permutation(permitted).tolist()
    for number in range(rounds):
        for position in order[: missing - number * len(permitted)]:
            excerpts = clauses.excerpts(_facts(collection.documents[position]), position)
            excerpt = excerpts[number % len(excerpts)]
            found.append(Pair(position, texts[position], shipped_charges().masked(excerpt)))
    return [pair for pair in found if pair.query.strip()]


class _ClauseSelector:
    """Selects the clauses of a text that share the most informative words with a document."""

    def __init__(self, language: str, texts: Sequence[str]) -> None:
        self._segment = segmenter(language)
        self._words = [Counter(filter(_is_informative, self._segment(text))) for text in texts]
        frequency = Counter(word for words in self._words for word in words)
        self._weight = {word: float(positive_idf(count, len(texts))) for word, count in frequency.items()}

    def excerpts(self, text: str, document: int) -> list[str]:
        """Return all runs of a few clauses, first those that share most with the rest of a document."""
        clauses = _CLAUSE.findall(text) or [text]
        last = max(len(clauses) - CLAUSES_PER_QUERY + 1, 1)
        excerpts = ["".join(clauses[first : first + CLAUSES_PER_QUERY]) for first in range(last)]
        return sorted(excerpts, key=lambda excerpt: -self._shared(excerpt, document))

    def _shared(self, excerpt: str, document: int) -> float:
        """Return the weight of shared words; words that the document has only once may be from the excerpt itself."""
        own, words = self._words[document], set(self._segment(excerpt))
        # fsum does not depend on the order of a set, which changes from run to run.
        shared = fsum(self._weight[word] for word in words if own[word] > 1)
        return float(shared / max(len(words), 1) ** 0.5)


def _is_informative(word: str) -> bool:
    """Return whether a word is neither a date or number nor an anonymised name."""
    return len(word) > 1 and word.isalpha() and "某" not in word


def _facts(document: Document) -> str:
    return document.sections.get("fact", "") or document.text
