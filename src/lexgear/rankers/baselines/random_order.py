"""Any order at all: what every ranker of every table must be above."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.files import read_json, write_json_list
from lexgear.progress import Progress, silent
from lexgear.rankers.base import ScoringRanker
from lexgear.settings import within

PART = "documents.json"


@dataclass(frozen=True, slots=True)
class RandomOrderSettings:
    """Settings of `random`."""

    seed: int = 0
    """Of the order; every query has its own."""

    def __post_init__(self) -> None:
        within("seed", self.seed, 0)


class RandomOrder(ScoringRanker):
    """A seeded order for every query, whatever it says."""

    name = "random"
    summary = "a random order (trivial)"
    settings_type = RandomOrderSettings

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Keeps the documents' ids."""
        self.documents = tuple(document.id for document in collection.documents)
        progress(1, 1)
        return self

    def grown(self, collection: Collection, progress: Progress = silent) -> Self:
        """The same over other documents."""
        return type(self)(self.settings).fit(collection, progress)

    def scores(self, query: Query) -> NDArray[Any]:
        """A number a document, drawn."""
        seed = [self.settings.seed, *query.id.encode("utf-8", "surrogatepass")]
        return np.random.default_rng(seed).permutation(len(self.documents)).astype(np.float64)

    def save(self, directory: Path) -> None:
        """Writes the ids, one a line."""
        write_json_list(directory / PART, self.documents)

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        ranker = cls(settings)
        ranker.documents = tuple(read_json(directory / PART))
        return ranker
