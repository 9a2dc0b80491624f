"""Trivial rankers that read the query's gold charges and nothing else: every table must beat them.

They read a label of the query, which no other ranker may; their names say so.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory, read_json, write_json_list
from lexgear.progress import Progress
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.rankers.document_ids import DocumentIds, search_by_scores
from lexgear.rankers.scope import Scope
from lexgear.settings import within

PART = "charges.json"


@dataclass(frozen=True, slots=True)
class GoldChargeRandomSettings:
    """Settings of `gold_charge_random`."""

    seed: int = 0
    """Seed of the order among documents that share as many charges."""

    def __post_init__(self) -> None:
        within("seed", self.seed, 0)


@dataclass(frozen=True, slots=True)
class GoldChargePopularSettings:
    """Settings of `gold_charge_popular`."""

    exact: bool = False
    """Rank documents with exactly the query's charges first, rather than those that share most."""


class GoldChargeRanker(Ranker):
    """Ranks documents by the number of shared gold charges; subclasses break the ties."""

    reads_labels = True
    documents: DocumentIds
    charges: tuple[frozenset[str], ...]
    labels: Mapping[str, int]
    """Number of training queries that each document is relevant to, documents outside the index included."""

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Keep the documents' charges and how often each document is relevant to a training query."""
        self.labels = Counter(
            document
            for query in collection.queries
            if query.split == "train"
            for document, grade in collection.qrels.get(query.id, {}).items()
            if grade >= collection.relevant_from
        )
        progress(1, 1)
        return self._over(collection)

    def _with_documents(self, collection: Collection, progress: Progress) -> Self:
        """Return a ranker with the same labels over other documents."""
        other = type(self)(self.settings)
        other.labels = self.labels
        progress(1, 1)
        return other._over(collection)

    def _over(self, collection: Collection) -> Self:
        self.documents = DocumentIds(document.id for document in collection.documents)
        self.charges = tuple(frozenset(document.charges) for document in collection.documents)
        return self

    @property
    def popularity(self) -> NDArray[np.int64]:
        """Number of training queries that each document is relevant to, by position."""
        return np.array([self.labels.get(name, 0) for name in self.documents], dtype=np.int64)

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        if bare := [query.id for query in queries if not query.charges]:
            raise InputError(
                f"{self.name} ranks by the query's gold charges; {len(bare)} of {len(queries)} queries have none"
                + (f", such as {bare[0]}" if bare[0] else ""),
                code=ErrorCode.RECORD_INVALID,
                remedy="search a file whose queries have `charges`, or choose another ranker",
            )
        return search_by_scores(self.documents, self.scores, queries, k, scope, progress)

    def shared(self, query: Query) -> NDArray[np.int64]:
        """Return how many of the query's charges each document has."""
        return np.array([len(charges.intersection(query.charges)) for charges in self.charges])

    @abstractmethod
    def scores(self, query: Query) -> NDArray[Any]:
        """Return whole numbers for shared charges plus a fraction that breaks ties."""

    def save(self, directory: PartsDirectory) -> None:
        """Write the labels, then the charges of one document per line."""
        rows = (
            {"id": name, "charges": sorted(charges)} for name, charges in zip(self.documents, self.charges, strict=True)
        )
        write_json_list(directory / PART, [{"labels": dict(self.labels)}, *rows])

    @classmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote."""
        [head, *rows] = read_json(directory / PART)
        ranker = cls(settings)
        ranker.labels = head["labels"]
        ranker.documents = DocumentIds(row["id"] for row in rows)
        ranker.charges = tuple(frozenset(row["charges"]) for row in rows)
        return ranker


class GoldChargeRandom(GoldChargeRanker):
    """Gold charges, then a seeded random order; report the mean of 200 seeds."""

    name = "gold_charge_random"
    settings_type = GoldChargeRandomSettings

    def scores(self, query: Query) -> NDArray[Any]:
        """Return shared charges plus a random fraction, drawn for each query."""
        seed = [self.settings.seed, *query.id.encode("utf-8", "surrogatepass")]
        order = np.random.default_rng(seed).permutation(len(self.documents))
        return np.asarray(self.shared(query) + order / max(len(order), 1))


class GoldChargePopular(GoldChargeRanker):
    """Gold charges, then popularity in the training labels, then the id."""

    name = "gold_charge_popular"
    settings_type = GoldChargePopularSettings

    def scores(self, query: Query) -> NDArray[Any]:
        """Return shared charges (or 1 for exactly the same charges) plus popularity as a fraction."""
        gold = frozenset(query.charges)
        exact = self.settings.exact
        match = np.array([c == gold for c in self.charges]) if exact else self.shared(query)
        return np.asarray(match + self.popularity / (self.popularity.max(initial=0) + 1))
