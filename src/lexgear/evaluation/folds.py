"""Cross-validation: every query is searched by a ranker that learnt from the other folds only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from lexgear.corpus.records import Collection, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.experiment import run_of
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker
from lexgear.trec import Run


def make_folds(queries: Sequence[Query], count: int, seed: int) -> list[list[Query]]:
    """Distribute queries over folds in a seeded random order; queries with the same text stay together."""
    same_text: dict[str, list[Query]] = {}
    for query in queries:
        same_text.setdefault(query.text, []).append(query)
    if not 2 <= count <= len(same_text):
        raise InputError(
            f"cannot make {count} folds of {len(same_text)} different queries",
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="use at least 2 folds and at most one per query",
            folds=count,
        )
    groups = list(same_text.values())
    order = np.random.default_rng(seed).permutation(len(groups))
    return [[query for place in order[start::count] for query in groups[place]] for start in range(count)]


def scored_queries(queries: Sequence[Query]) -> list[Query]:
    """Return the queries that may be scored: those with complete labels."""
    return [query for query in queries if not query.incomplete_labels]


def with_test_queries(collection: Collection, test: Sequence[Query]) -> Collection:
    """Return the collection with these queries for testing, without labels, and the others for training."""
    tested = {query.id for query in test}
    queries = tuple(replace(query, split="test" if query.id in tested else "train") for query in collection.queries)
    labels = {name: grades for name, grades in collection.qrels.items() if name not in tested}
    return replace(collection, queries=queries, qrels=labels)


def searchable_queries(ranker: LearnsFromQueries, queries: Sequence[Query]) -> list[Query]:
    """Return the queries that a ranker can search: one that reads gold charges cannot search queries without any."""
    return [query for query in queries if query.charges or not ranker.reads_labels]


def fit_documents(collection: Collection, ranker: Ranker, progress: Progress = silent) -> Ranker:
    """Return the ranker fitted on the documents alone, if `with_queries` can build on that."""
    if not ranker.can_update_queries():
        return ranker
    return ranker.fit(replace(collection, queries=(), qrels={}, pools={}), progress)


class LearnsFromQueries(Protocol):
    """Protocol of what is trained anew on the queries of each fold: a ranker, or a choice among several."""

    @property
    def reads_labels(self) -> bool:
        """True if it reads the gold charges of a query."""

    def with_queries(self, collection: Collection) -> Ranker:
        """Return a ranker that learnt from the training queries of the collection."""


class FoldStore(Protocol):
    """Protocol of what keeps the runs of finished folds."""

    def load(self, fold: int) -> Run | None:
        """Return the run of a finished fold; None if it is not finished."""

    def save(self, fold: int, ranker: Ranker, queries: Sequence[Query], run: Run) -> None:
        """Keep the run of a fold, found by this ranker."""


def cross_validate(
    collection: Collection,
    ranker: LearnsFromQueries,
    count: int,
    seed: int,
    k: int = 1000,
    progress: Progress = silent,
    store: FoldStore | None = None,
) -> Run:
    """Return one run over all queries, each fold searched by a ranker that was not trained on it.

    Queries with incomplete labels are in no fold: every ranker learns from them and none is scored on them.
    Every fold starts from the ranker given, so no fold profits from another. Folds that `store` holds are not repeated.
    """
    results: dict[str, Mapping[str, float]] = {}
    asked = scored_queries(collection.queries)
    for number, test in enumerate(make_folds(asked, count, seed)):
        progress(number, count, f"fold {number + 1} of {count}")
        if store and (finished := store.load(number)) is not None:
            results |= finished
            continue
        trained = ranker.with_queries(with_test_queries(collection, test))
        queries = searchable_queries(ranker, test)
        found = run_of(queries, trained.search(queries, k))
        if store:
            store.save(number, trained, queries, found)
        results |= found
    progress(count, count)
    return {query.id: dict(results.get(query.id, {})) for query in asked}
