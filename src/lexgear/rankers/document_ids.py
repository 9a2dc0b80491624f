"""Document ids by position, and rankings of documents by score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Query
from lexgear.progress import Progress
from lexgear.rankers.base import ScoredId
from lexgear.rankers.scope import Scope
from lexgear.search.scorer import DECIMALS, ROUNDING


class DocumentIds(tuple[str, ...]):
    """The ids of an index's documents, by position.

    >>> ids = DocumentIds(["b", "a", "c"])
    >>> ids.best(np.array([1.0, 1.0, 0.5]), 2, None, set())
    [ScoredId(document='a', score=1.0), ScoredId(document='b', score=1.0)]
    """

    def best(
        self, scores: NDArray[Any], k: int, allowed: Collection[str] | None, left_out: Collection[str]
    ) -> list[ScoredId]:
        """Return the k documents with the highest scores; minus infinity excludes a document."""
        if allowed is not None or left_out:
            scores = np.where(self.permitted(allowed, left_out), scores, -np.inf)
        # Rounding makes rankings independent of the order of summation; only candidates are rounded.
        lowest = np.partition(scores, len(scores) - k)[len(scores) - k] - ROUNDING if k < len(scores) else -np.inf
        candidates = np.flatnonzero(scores >= lowest if lowest > -np.inf else scores > -np.inf)
        scores = np.round(scores[candidates].astype(np.float64), DECIMALS)
        order = np.lexsort((self.tie_order[candidates], -scores))[:k]
        names = self._array[candidates[order]].tolist()
        return list(map(ScoredId._make, zip(names, scores[order].tolist(), strict=True)))

    def permitted(self, allowed: Collection[str] | None, left_out: Collection[str]) -> NDArray[np.bool_]:
        """Return for each document whether a query may find it."""
        mask = np.full(len(self), allowed is None)
        mask[self._positions(allowed or ())] = True
        mask[self._positions(left_out)] = False
        return mask

    def position(self, name: str) -> int:
        """Return the position of a document."""
        return self._position[name]

    @cached_property
    def tie_order(self) -> NDArray[np.int64]:
        """The rank of each document in the alphabetical order of the ids."""
        return np.argsort(np.argsort(self._array))

    def _positions(self, names: Collection[str]) -> list[int]:
        return [self._position[name] for name in names if name in self._position]

    @cached_property
    def _position(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self)}

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
