"""One shard of an index of `lexgear`: scores its documents with the statistics of all shards.

Every call carries all that it needs, so that a shard that is started again answers as before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.place_sets import PlaceSet
from lexgear.lexical.word_index import WordStatistics
from lexgear.rankers.lexgear.best_documents import best_of_sets
from lexgear.rankers.lexgear.features.moments import Moments
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.weighting.weights import LeafScores
from lexgear.search.scorer import LogP


@dataclass(frozen=True)
class ShardQuery:
    """A query as every shard gets it."""

    number: int
    """Number of the search, by which a shard finds the scores it has computed for it."""
    words: tuple[str, ...]
    legal_words: tuple[str, ...]
    """Words of the legal terms for everyday expressions of the query."""
    statistics: WordStatistics
    """Statistics of all these words over the documents of all shards."""
    vector: LogP | None
    """The encoder's vector of the query; None if documents are not ranked by it."""
    concepts: NDArray[np.float32]
    """The vector of latent concepts."""


class ShardMoments(NamedTuple):
    """Moments of the scores of a shard's documents."""

    words: Moments
    content: Moments
    concepts: Moments
    legal_terms: Moments
    has_words: bool
    """True if some document shares a word with the query or its legal terms."""


@dataclass(frozen=True)
class ShardTask:
    """The part of a query that differs between shards, and the scale of the scores."""

    k: int
    deviations: tuple[float, ...]
    """Units of words, content, concepts and legal terms, from the documents of all shards."""
    permitted: NDArray[np.uint8] | None
    """Bits of the documents that may be found; None if all may but the excluded ones."""
    excluded: NDArray[np.int64]
    """Positions of documents that may not be found."""
    answered: NDArray[np.int64]
    """Positions of documents that answered a past question near the query."""
    past_questions: LogP
    nearest_question: LogP


class SetScores(NamedTuple):
    """The k highest scores of each set of places, sets one after another."""

    sets: NDArray[np.int64]
    sizes: NDArray[np.int64]
    scores: LogP


class ShardHits(NamedTuple):
    """The best documents of a shard."""

    hits: list[tuple[int, float]]
    """Positions within the shard, and scores."""
    leaves: LeafScores


class _Scored(NamedTuple):
    number: int
    raw: tuple[LogP, LogP, LogP, LogP]


class LexgearShard:
    """The documents of one shard."""

    def __init__(self, ranker: Lexgear) -> None:
        self.ranker = ranker
        self._last: _Scored | None = None

    def sets(self) -> tuple[PlaceSet, ...]:
        """Return the sets of places of the documents, by number."""
        return self.ranker.inference.features.places.sets

    def moments(self, query: ShardQuery) -> ShardMoments:
        """Return the moments of the scores over the live documents."""
        live = self.ranker.documents.live
        raw = self._raw(query)
        words, content, concepts, terms = (Moments.of(one if live is None else one[live]) for one in raw)
        return ShardMoments(words, content, concepts, terms, bool(raw[0].any() or raw[3].any()))

    def set_scores(self, query: ShardQuery, task: ShardTask) -> SetScores:
        """Return the k highest scores of each set that has documents which may be found."""
        _, scores = self._scores(query, task)
        places, sets, sizes, found = self.ranker.inference.features.places, [], [], [np.empty(0)]
        for number in np.flatnonzero(places.best(scores) > -np.inf).tolist():
            own = scores[places.documents(number)]
            own = own[own > -np.inf]
            if len(own) > task.k:
                own = np.partition(own, -task.k)[-task.k :]
            sets.append(number)
            sizes.append(len(own))
            found.append(own)
        return SetScores(np.array(sets, np.int64), np.array(sizes, np.int64), np.concatenate(found))

    def best(self, query: ShardQuery, task: ShardTask, charges: dict[int, float]) -> ShardHits:
        """Return the k best documents of some sets, given log Σ P of each set."""
        leaves, scores = self._scores(query, task)
        places = self.ranker.inference.features.places
        hits = best_of_sets(self.ranker.documents, places, scores, charges, task.k)
        return ShardHits(hits, leaves.of(np.array([position for position, _ in hits], np.int64)))

    def _raw(self, query: ShardQuery) -> tuple[LogP, LogP, LogP, LogP]:
        """Return the scores of words, content, concepts and legal terms; those of the last query are kept."""
        if self._last is None or self._last.number != query.number:
            features = self.ranker.inference.features
            words, terms = (
                features.bm25.index.sums(some, query.statistics).astype(np.float64)
                for some in (query.words, query.legal_words)
            )
            content = np.zeros(len(words)) if query.vector is None else features.vectors.cosines(query.vector)
            self._last = _Scored(query.number, (words, content, features.concepts.cosines(query.concepts), terms))
        return self._last.raw

    def _scores(self, query: ShardQuery, task: ShardTask) -> tuple[LeafScores, LogP]:
        """Return the scores beside charges, and their sum as the search needs it."""
        raw = self._raw(query)
        words, content, concepts, terms = (one / scale for one, scale in zip(raw, task.deviations, strict=True))
        past, nearest = np.zeros(len(raw[0])), np.zeros(len(raw[0]))
        past[task.answered], nearest[task.answered] = task.past_questions, task.nearest_question
        leaves = LeafScores(words, content, concepts, past, nearest, terms)
        weights, live = self.ranker.inference.weights, self.ranker.documents.live
        scores = leaves.combined(weights) / weights.charge
        if task.permitted is not None:
            scores[np.unpackbits(task.permitted, count=len(scores)) == 0] = -np.inf
        if live is not None:
            scores[~live] = -np.inf
        scores[task.excluded] = -np.inf
        return leaves, scores
