"""The interface every system stands behind: fit a collection, search it, save and load."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
from lexgear.progress import Progress, silent
from lexgear.rankers.explanation import Explanation
from lexgear.rankers.scope import Scope
from lexgear.search.scorer import DECIMALS, ROUNDING

EVERYTHING = Scope()


class ScoredId(NamedTuple):
    """A document found, with its score; hits come best first."""

    document: str
    score: float


class Ranker(ABC):
    """A retrieval system.

    `settings` is a frozen dataclass, saved beside what it produced; `fit` returns the ranker itself.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for the list of rankers."""
    settings_type: ClassVar[type[Any]]
    reads_labels: ClassVar[bool] = False
    """Whether it goes by the gold charges of a query, which no real system may see."""

    def asked(self, query: Query) -> Query:
        """A query as the ranker may see it in a test."""
        return query if self.reads_labels else Query(query.id, query.text, own_documents=query.own_documents)

    def __init__(self, settings: Any = None) -> None:
        self.settings = self.settings_type() if settings is None else settings

    @abstractmethod
    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Learns or indexes the collection."""

    def grown(self, collection: Collection, progress: Progress = silent) -> Self:
        """The same ranker, with all that it has learnt, over other documents.

        A document whose id it knows is the one it knows: to change one, take it away first.
        """
        raise InputError(
            f"{self.name} learns its documents by heart: without training it can neither take nor drop any",
            remedy="train it again on the collection as it is now, or use lexgear, which need not be",
        )

    def taught(self, collection: Collection, progress: Progress = silent) -> Self:
        """A ranker for the same documents that learns from other training queries: by default from the beginning."""
        return type(self)(self.settings).fit(collection, progress)

    @abstractmethod
    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[ScoredId]]:
        """The k best documents for each query, best first; ties go by document id."""

    def explained(self, query: Query, k: int, scope: Scope = EVERYTHING) -> list[tuple[ScoredId, Explanation | None]]:
        """The hits of one search with why each was found; None where the ranker cannot say."""
        [hits] = self.search([query], k, scope)
        return [(hit, None) for hit in hits]

    @abstractmethod
    def save(self, directory: Path) -> None:
        """Writes the ranker's parts into an existing directory."""

    def save_grown(self, directory: Path) -> None:
        """Writes the parts that `grown` changed; what was learnt stays as it lies on disk."""
        self.save(directory)

    @classmethod
    @abstractmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""


class ScoringRanker(Ranker):
    """A ranker that gives every document of the collection a score."""

    documents: tuple[str, ...]
    """Document ids by position."""

    @abstractmethod
    def scores(self, query: Query) -> NDArray[Any]:
        """The score of each document by position; minus infinity where it is no answer at all."""

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[ScoredId]]:
        """The k best documents for each query, best first; ties go by document id."""
        results = []
        for done, query in enumerate(queries):
            progress(done, len(queries))
            results.append(self._best(self.scores(query), k, scope.allowed(query), scope.left_out(query)))
        progress(len(queries), len(queries))
        return results

    def _best(self, scores: NDArray[Any], k: int, allowed: set[str] | None, left_out: set[str]) -> list[ScoredId]:
        if allowed is not None:
            mask = np.ones(len(scores), dtype=np.bool_)
            mask[self._positions(allowed)] = False
            scores = np.where(mask, -np.inf, scores)
        scores[self._positions(left_out)] = -np.inf
        # Rounding makes rankings the same whatever the order of summation was; only what may rank is rounded.
        lowest = np.partition(scores, len(scores) - k)[len(scores) - k] - ROUNDING if k < len(scores) else -np.inf
        candidates = np.flatnonzero(scores >= lowest if lowest > -np.inf else scores > -np.inf)
        scores = np.round(scores[candidates].astype(np.float64), DECIMALS)
        order = np.lexsort((self._id_order[candidates], -scores))[:k]
        names = self._names[candidates[order]].tolist()
        return list(map(ScoredId._make, zip(names, scores[order].tolist(), strict=True)))

    def _positions(self, names: set[str]) -> list[int]:
        return [self._position[name] for name in names if name in self._position]

    @cached_property
    def _position(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.documents)}

    @cached_property
    def _id_order(self) -> NDArray[np.int64]:
        return np.argsort(np.argsort(self._names))

    @cached_property
    def _names(self) -> NDArray[np.object_]:
        return np.array(self.documents, dtype=object)
