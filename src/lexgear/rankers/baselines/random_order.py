"""A random order: every ranker of every table must be above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.files import PartsDirectory, read_json, write_json_list
from lexgear.progress import Progress
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.rankers.document_ids import DocumentIds, search_by_scores
from lexgear.rankers.scope import Scope
from lexgear.settings import within

PART = "documents.json"


@dataclass(frozen=True, slots=True)
class RandomOrderSettings:
    """Settings of `random`."""

    seed: int = 0
    """Seed of the order; every query has its own order."""

    def __post_init__(self) -> None:
        within("seed", self.seed, 0)


class RandomOrder(Ranker):
    """Ranks documents in a seeded random order for every query."""

    name = "random"
    settings_type = RandomOrderSettings
    documents: DocumentIds

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Keep the documents' ids."""
        self.documents = DocumentIds(document.id for document in collection.documents)
        progress(1, 1)
        return self

    def _with_documents(self, collection: Collection, progress: Progress) -> Self:
        """Return a ranker over other documents."""
        return type(self)(self.settings)._fit(collection, progress)

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        return search_by_scores(self.documents, self._scores, queries, k, scope, progress)

    def _scores(self, query: Query) -> NDArray[Any]:
        seed = [self.settings.seed, *query.id.encode("utf-8", "surrogatepass")]
        return np.random.default_rng(seed).permutation(len(self.documents)).astype(np.float64)

    def save(self, directory: PartsDirectory) -> None:
        """Write the ids, one per line."""
        write_json_list(directory / PART, self.documents)

    @classmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote."""
        ranker = cls(settings)
        ranker.documents = DocumentIds(read_json(directory / PART))
        return ranker
