"""Document ids by position, and rankings of documents by score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Query
from lexgear.index.selection import Selection
from lexgear.progress import Progress
from lexgear.rankers.base import ScoredId
from lexgear.rankers.scope import Scope
from lexgear.search.scorer import ROUNDING, ranked

MAX_CANDIDATES = 10_000
"""Candidates up to which ties are ordered without ordering all documents."""


class DocumentIds(tuple[str, ...]):
    """The ids of an index's documents, by position.

    >>> ids = DocumentIds(["b", "a", "c"])
    >>> ids.best(np.array([1.0, 1.0, 0.5]), 2, None, set())
    [ScoredId(document='a', score=1.0), ScoredId(document='b', score=1.0)]
    """

    live: NDArray[np.bool_] | None = None
    """Mask of the documents that were not removed; None if none was."""

    @classmethod
    def of_segments(cls, segments: Sequence[tuple[Sequence[str], NDArray[np.bool_]]]) -> DocumentIds:
        """Return the ids of several segments, each with a mask of its live documents."""
        ids = cls(name for names, _ in segments for name in names)
        live = np.concatenate([mask for _, mask in segments])
        ids.live = None if live.all() else live
        return ids

    @property
    def live_count(self) -> int:
        """Number of documents that were not removed."""
        return len(self) if self.live is None else int(self.live.sum())

    def best(
        self, scores: NDArray[Any], k: int, allowed: Collection[str] | None, left_out: Collection[str]
    ) -> list[ScoredId]:
        """Return the k documents with the highest scores; minus infinity excludes a document."""
        if allowed is not None or left_out or self.live is not None:
            scores = np.where(self.permitted(allowed, left_out), scores, -np.inf)
        found = self.ranked(np.arange(len(scores)), scores, k)
        return [ScoredId(self[position], score) for position, score in found]

    def ranked(self, positions: NDArray[Any], scores: NDArray[Any], k: int) -> list[tuple[int, float]]:
        """Return the k best of some documents with their rounded scores; minus infinity excludes a document.

        Rounding makes rankings independent of the order of summation; only candidates are rounded.
        """
        lowest = np.partition(scores, len(scores) - k)[len(scores) - k] - ROUNDING if k < len(scores) else -np.inf
        near = np.flatnonzero(scores >= lowest if lowest > -np.inf else scores > -np.inf)
        return ranked(positions[near], scores[near].astype(np.float64), self.ties(positions[near]), k)

    def permitted(self, allowed: Collection[str] | None, left_out: Collection[str]) -> NDArray[np.bool_]:
        """Return for each document whether a query may find it."""
        if isinstance(allowed, Selection) and len(allowed.mask) == len(self):
            mask = allowed.mask.copy()
        else:
            mask = np.full(len(self), allowed is None)
            mask[self.positions(allowed or ())] = True
        if left_out:
            mask[self.positions(left_out)] = False
        return mask if self.live is None else mask & self.live

    def ties(self, positions: NDArray[Any]) -> NDArray[np.int64]:
        """Return numbers that order some documents as their ids do.

        Ordering all ids takes seconds for a million documents; a few candidates are ordered by themselves.
        """
        if len(positions) > MAX_CANDIDATES:
            return np.asarray(self.tie_order[positions])
        return np.argsort(np.argsort(self._array[positions]))

    def position(self, name: str) -> int:
        """Return the position of a document."""
        return self._position[name]

    @cached_property
    def tie_order(self) -> NDArray[np.int64]:
        """The rank of each document in the alphabetical order of the ids."""
        return np.argsort(np.argsort(self._array))

    def positions(self, names: Collection[str]) -> list[int]:
        """Return the positions of the documents that are there."""
        return [self._position[name] for name in names if name in self._position] if names else []

    @cached_property
    def _position(self) -> dict[str, int]:
        if self.live is None:
            return {name: position for position, name in enumerate(self)}
        return {self[position]: position for position in np.flatnonzero(self.live).tolist()}

    @cached_property
    def _array(self) -> NDArray[np.object_]:
        return np.array(self, dtype=object)


def search_by_scores(
    documents: DocumentIds,
    scores: Callable[[Query], NDArray[Any]],
    queries: Sequence[Query],
    k: int,
    scope: Scope,
    progress: Progress,
) -> list[list[ScoredId]]:
    """Return the k best documents for each query, given a function that scores every document by position."""
    results = []
    for done, query in enumerate(queries):
        progress(done, len(queries))
        results.append(documents.best(scores(query), k, scope.allowed(query), scope.left_out(query)))
    progress(len(queries), len(queries))
    return results
