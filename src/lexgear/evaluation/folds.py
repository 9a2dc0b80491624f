"""Cross-validation: every query is searched by a ranker that learnt from the others alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
from lexgear.evaluation.experiment import run_of
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.trec import Run


def folds(queries: Sequence[Query], count: int, seed: int) -> list[list[Query]]:
    """The queries dealt into as many folds, in a seeded order; queries of the same text stay together."""
    alike: dict[str, list[Query]] = {}
    for query in queries:
        alike.setdefault(query.text, []).append(query)
    if not 2 <= count <= len(alike):
        raise InputError(f"{count} folds of {len(alike)} different queries", remedy="from 2 up to one a query")
    groups = list(alike.values())
    order = np.random.default_rng(seed).permutation(len(groups))
    return [[query for place in order[start::count] for query in groups[place]] for start in range(count)]


def asked_of(collection: Collection, test: Sequence[Query]) -> Collection:
    """The collection with these queries for testing and the others, labels and all, for training."""
    tested = {query.id for query in test}
    queries = tuple(replace(query, split="test" if query.id in tested else "train") for query in collection.queries)
    labels = {name: grades for name, grades in collection.qrels.items() if name not in tested}
    return replace(collection, queries=queries, qrels=labels)


def askable(ranker: Ranker, queries: Sequence[Query]) -> list[Query]:
    """Queries as a ranker may see them; one that goes by gold charges cannot be asked where there are none."""
    return [ranker.asked(query) for query in queries if query.charges or not ranker.reads_labels]


def documents_first(collection: Collection, ranker: Ranker, progress: Progress = silent) -> Ranker:
    """The ranker with what it can learn of the documents before anybody asks, if that is anything."""
    if type(ranker).taught is Ranker.taught:
        return ranker
    return ranker.fit(replace(collection, queries=(), qrels={}, pools={}), progress)


def cross_validated(
    collection: Collection,
    ranker: Ranker,
    count: int,
    seed: int,
    k: int = 1000,
    progress: Progress = silent,
    watch: Callable[[Ranker, Sequence[Query]], None] | None = None,
) -> Run:
    """One run over all queries, each fold searched by a ranker that never saw it; own judgments are left out.

    Every fold is taught from the ranker given: what one fold has learnt is unknown to the next. `watch` is shown every
    ranker that was taught, with the queries it was asked.
    """
    results: dict[str, list[ScoredId]] = {}
    dealt = folds(collection.queries, count, seed)
    for number, test in enumerate(dealt):
        progress(number, count, f"fold {number + 1} of {count}")
        taught = ranker.taught(asked_of(collection, test))
        blind = askable(ranker, test)
        found = taught.search(blind, k)
        results |= dict(zip((query.id for query in blind), found, strict=True))
        if watch:
            watch(taught, blind)
    progress(count, count)
    return run_of(collection.queries, [results.get(query.id, []) for query in collection.queries])
