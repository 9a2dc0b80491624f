"""Search of a sharded index of `lexgear`: the query is read once, shards score their documents, results are merged.

All sums over documents are sums of whole numbers and every score depends on its document alone, so N shards give the
ranking of one index to the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, Protocol

import numpy as np

from lexgear.corpus.records import Query
from lexgear.docids.place_sets import PlaceSet
from lexgear.rankers.lexgear.best_documents import FoundDocuments, charges_of_sets
from lexgear.rankers.lexgear.features.moments import Moments
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.inference import MIN_SPREAD, term_scale
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.shard import SetScores, ShardHits, ShardMoments, ShardQuery, ShardTask
from lexgear.rankers.lexgear.weighting.weights import LEAF_SCORES, LeafScores
from lexgear.rankers.scope import Scope
from lexgear.search.scorer import LogP

_NUMBERS = count()


class Actors(Protocol):
    """The shards."""

    def call_all(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Call a method of every shard, each with its own arguments, and return the answers in order."""

    def close(self) -> None:
        """End the shards."""


class Coordinator:
    """Searches shards; `sizes` are their numbers of documents, removed or not, in the order of the index."""

    def __init__(self, ranker: Lexgear, sizes: Sequence[int], actors: Actors) -> None:
        self.offsets = np.cumsum([0, *sizes])
        self.actors, self._shards = actors, len(sizes)
        numbers = {places: number for number, places in enumerate(ranker.inference.features.places.sets)}
        self._sets: list[tuple[PlaceSet, ...]] = self._all("sets")
        self._global = [np.array([numbers.get(one, -1) for one in sets], np.int64) for sets in self._sets]
        """For each shard, the number that the index gives to each of its sets; −1 if all its documents are gone."""

    def find(self, ranker: Lexgear, query: Query, features: QueryFeatures, k: int, scope: Scope) -> FoundDocuments:
        """Return the k best documents of all shards."""
        asked = self._query(ranker, features)
        moments: list[ShardMoments] = self._all("moments", asked)
        tasks = self._tasks(ranker, query, features, k, scope, _deviations(moments))
        scores: list[SetScores] = []
        if ranker.can_find(features, has_words=any(one.has_words for one in moments)):
            scores = self.actors.call_all("set_scores", [(asked, task) for task in tasks])
        members = self._members(scores)
        best = np.full(len(ranker.inference.features.places.sets), -np.inf)
        for number, own in members.items():
            best[number] = own.max()
        nothing = np.empty(0)
        walk = ranker.inference.walk(features)
        found = charges_of_sets(ranker.parts.ids.trie, walk, k, best, lambda number: members.get(number, nothing))
        hits, leaves = self._best(ranker, asked, tasks, found.charges, k)
        return FoundDocuments(ranker.weighted(hits), found.log_p, leaves)

    def close(self) -> None:
        """End the shards."""
        self.actors.close()

    def _query(self, ranker: Lexgear, features: QueryFeatures) -> ShardQuery:
        inference, vector = ranker.inference, None
        if inference.ranks_by_vectors:
            vector = inference.query_matrix.mapped(features.vector) if inference.query_matrix else features.vector
        words, legal_words = tuple(features.words), tuple(features.legal_words)
        statistics = inference.features.bm25.index.statistics(tuple(dict.fromkeys(words + legal_words)))
        concepts = inference.concepts.vector(features.words)
        return ShardQuery(next(_NUMBERS), words, legal_words, statistics, vector, concepts)

    def _tasks(
        self,
        ranker: Lexgear,
        query: Query,
        features: QueryFeatures,
        k: int,
        scope: Scope,
        deviations: tuple[float, ...],
    ) -> list[ShardTask]:
        """Return the task of each shard: what it may find, and which of its documents answered past questions."""
        documents, allowed, left_out = ranker.documents, scope.allowed(query), scope.left_out(query)
        permitted = None if allowed is None else documents.permitted(allowed, ())
        excluded = np.array(documents.positions(left_out), np.int64)
        vector = features.vector if ranker.inference.ranks_by_vectors else None
        past, nearest = ranker.inference.features.past_questions.scores(features.words, vector)
        answered = np.flatnonzero((past != 0) | (nearest != 0))
        tasks = []
        for start, end in zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True):
            own = answered[(answered >= start) & (answered < end)]
            out = excluded[(excluded >= start) & (excluded < end)] - start
            bits = None if permitted is None else np.packbits(permitted[start:end])
            tasks.append(ShardTask(k, deviations, bits, out, own - start, past[own], nearest[own]))
        return tasks

    def _members(self, scores: Sequence[SetScores]) -> dict[int, LogP]:
        """Return the highest scores of each set over all shards."""
        parts: dict[int, list[LogP]] = {}
        for numbers, one in zip(self._global, scores, strict=False):
            ends = np.cumsum(one.sizes).tolist()
            for number, start, end in zip(numbers[one.sets].tolist(), [0, *ends], ends, strict=False):
                parts.setdefault(number, []).append(one.scores[start:end])
        return {number: np.concatenate(found) for number, found in parts.items()}

    def _best(
        self, ranker: Lexgear, asked: ShardQuery, tasks: Sequence[ShardTask], charges: dict[int, float], k: int
    ) -> tuple[list[tuple[int, float]], LeafScores]:
        """Return the k best documents of the found sets, by position in the index, with their scores."""
        arguments = []
        for numbers, task in zip(self._global, tasks, strict=True):
            own = {at: charges[number] for at, number in enumerate(numbers.tolist()) if number in charges}
            arguments.append((asked, task, own))
        answers: list[ShardHits] = self.actors.call_all("best", arguments)
        hits = [
            (-score, ranker.documents[position + start], position + start, shard, place)
            for shard, (start, answer) in enumerate(zip(self.offsets[:-1].tolist(), answers, strict=True))
            for place, (position, score) in enumerate(answer.hits)
        ]
        chosen = sorted(hits)[:k]
        leaves = {
            name: np.array([getattr(answers[shard].leaves, name)[place] for *_, shard, place in chosen])
            for name in ("words", *LEAF_SCORES)
        }
        return [(position, -score) for score, _, position, _, _ in chosen], LeafScores(**leaves)

    def _all(self, method: str, *arguments: Any) -> list[Any]:
        return self.actors.call_all(method, [arguments] * self._shards)


def _deviations(moments: Sequence[ShardMoments]) -> tuple[float, ...]:
    """Return the standard deviations over the documents of all shards."""
    none = Moments(0, 0, 0)
    words, content, concepts, terms = (
        sum((getattr(one, name) for one in moments), none).deviation
        for name in ("words", "content", "concepts", "legal_terms")
    )
    return *(max(one, MIN_SPREAD) for one in (words, content, concepts)), term_scale(words, terms)
