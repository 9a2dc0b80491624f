"""Rankers that know the query's gold charges and nothing else: what every table must beat to mean something.

They read a label of the query, which no other ranker may; their names say so.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
from lexgear.files import read_json, write_json_list
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, ScoredId, ScoringRanker
from lexgear.rankers.scope import Scope
from lexgear.settings import within

PART = "charges.json"


@dataclass(frozen=True, slots=True)
class GoldChargeRandomSettings:
    """Settings of `gold_charge_random`."""

    seed: int = 0
    """Of the order among documents that share as many charges."""

    def __post_init__(self) -> None:
        within("seed", self.seed, 0)


@dataclass(frozen=True, slots=True)
class GoldChargePopularSettings:
    """Settings of `gold_charge_popular`."""

    exact: bool = False
    """Whether documents with exactly the query's charges go first, in place of those that share most."""


class GoldChargeRanker(ScoringRanker):
    """Documents that share most gold charges first; subclasses say what decides among equals."""

    reads_labels = True
    charges: tuple[frozenset[str], ...]
    labels: Mapping[str, int]
    """How many training queries each document is relevant to, also those that are not in the index."""

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Keeps the documents' charges and how often each is relevant to a training query."""
        self.labels = Counter(
            document
            for query in collection.queries
            if query.split == "train"
            for document, grade in collection.qrels.get(query.id, {}).items()
            if grade >= collection.relevant_from
        )
        progress(1, 1)
        return self._over(collection)

    def grown(self, collection: Collection, progress: Progress = silent) -> Self:
        """The same labels over other documents."""
        other = type(self)(self.settings)
        other.labels = self.labels
        progress(1, 1)
        return other._over(collection)

    def _over(self, collection: Collection) -> Self:
        self.documents = tuple(document.id for document in collection.documents)
        self.charges = tuple(frozenset(document.charges) for document in collection.documents)
        return self

    @property
    def popularity(self) -> NDArray[np.int64]:
        """How often each document is relevant to a training query."""
        return np.array([self.labels.get(name, 0) for name in self.documents], dtype=np.int64)

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[ScoredId]]:
        """The k best documents for each query; one without a gold charge has none, and is refused."""
        if bare := [query.id for query in queries if not query.charges]:
            raise InputError(
                f"{self.name} knows a query by its gold charges alone; {len(bare)} of {len(queries)} have none"
                + (f", such as {bare[0]}" if bare[0] else ""),
                remedy="search a file whose queries have `charges`, or choose another ranker",
            )
        return super().search(queries, k, scope, progress)

    def shared(self, query: Query) -> NDArray[np.int64]:
        """How many of the query's charges each document has."""
        return np.array([len(charges.intersection(query.charges)) for charges in self.charges])

    @abstractmethod
    def scores(self, query: Query) -> NDArray[Any]:
        """Whole steps for the charges, a part of a step for what decides among equals."""

    def save(self, directory: Path) -> None:
        """Writes the labels, then charges, one document a line."""
        rows = (
            {"id": name, "charges": sorted(charges)} for name, charges in zip(self.documents, self.charges, strict=True)
        )
        write_json_list(directory / PART, [{"labels": dict(self.labels)}, *rows])

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        [head, *rows] = read_json(directory / PART)
        ranker = cls(settings)
        ranker.labels = head["labels"]
        ranker.documents = tuple(row["id"] for row in rows)
        ranker.charges = tuple(frozenset(row["charges"]) for row in rows)
        return ranker


class GoldChargeRandom(GoldChargeRanker):
    """The gold charges, then a seeded random order; report the mean of 200 seeds."""

    name = "gold_charge_random"
    summary = "reads the gold charges, then random order (trivial, uses a label)"
    settings_type = GoldChargeRandomSettings

    def scores(self, query: Query) -> NDArray[Any]:
        """Shared charges plus a random part of a step, its own for each query."""
        seed = [self.settings.seed, *query.id.encode("utf-8", "surrogatepass")]
        order = np.random.default_rng(seed).permutation(len(self.documents))
        return np.asarray(self.shared(query) + order / max(len(order), 1))


class GoldChargePopular(GoldChargeRanker):
    """The gold charges, then popularity in the training labels, then the id."""

    name = "gold_charge_popular"
    summary = "reads the gold charges, then popularity in the training labels (trivial, uses a label)"
    settings_type = GoldChargePopularSettings

    def scores(self, query: Query) -> NDArray[Any]:
        """Shared charges (or the exact set of charges) plus popularity as a part of a step."""
        gold = frozenset(query.charges)
        exact = self.settings.exact
        match = np.array([c == gold for c in self.charges]) if exact else self.shared(query)
        return np.asarray(match + self.popularity / (self.popularity.max(initial=0) + 1))
