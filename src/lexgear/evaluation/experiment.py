"""Experiments: several rankers on one collection, fitted, searched, scored and tested in one call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from lexgear.corpus.records import Collection, Query
from lexgear.corpus.store import load_collection
from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.comparison import Evaluation, Key, compare
from lexgear.evaluation.evaluate import DEFAULT_MEASURES, score_runs
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.notes import Note
from lexgear.evaluation.scope import make_scope
from lexgear.evaluation.scoring import Values, mean_values
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.rankers.registry import make_ranker
from lexgear.trec import Run

DEPTH = 1000
"""Documents ranked per query, as in TREC."""

Rankers: TypeAlias = Sequence[str | Ranker] | Mapping[str, str | Ranker | Sequence[Ranker]]
"""Rankers, or names of rankers; in a mapping also several rankers under one name, one per seed."""


def experiment(
    collection: Collection | Path | str,
    rankers: Rankers,
    measures: str | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    queries: Sequence[Query] | None = None,
    baseline: str | None = None,
    fitted: Mapping[str, Ranker] | None = None,
    progress: Progress = silent,
) -> Evaluation:
    """Fit rankers on a collection, search its queries, score the results and test each against the baseline.

    `queries` are by default those of the test split, or all if there is no such split. If a system has several
    rankers, one per seed, the value of a query is the mean over them. Rankers in `fitted` are searched as they are.
    `print` shows the result as a table; `to_pandas` returns it as a data frame.

    >>> from lexgear.corpus.sample.statutes import sample_statutes
    >>> result = experiment(sample_statutes(), ["bm25", "query_likelihood"], "RR, R@10", baseline="bm25")
    >>> [result.cells[system, measure].queries for system in result.systems for measure in result.measures]
    [40, 40, 40, 40]
    """
    if not isinstance(collection, Collection):
        collection = load_collection(Path(collection))
    systems = _named(rankers) | {name: [ranker] for name, ranker in (fitted or {}).items()}
    if baseline is not None and baseline not in systems:
        raise InputError(
            f"no ranker named {baseline!r} to compare with",
            code=ErrorCode.UNKNOWN_NAME,
            remedy=f"choose from {', '.join(systems)}",
            name=baseline,
        )
    asked = _test_queries(collection) if queries is None else queries
    scope = make_scope(collection)
    scope = replace(scope, qrels={query.id: scope.qrels[query.id] for query in asked if query.id in scope.qrels})
    parsed = parse_measures(measures, collection.relevant_from)
    values: dict[Key, Values] = {}
    notes: list[Note] = []
    for done, (system, seeds) in enumerate(systems.items()):
        progress(done, len(systems), system)
        scored = []
        for ranker in seeds:
            ready = ranker if system in (fitted or {}) else ranker.fit(collection)
            scored.append(score_runs({system: run_of(asked, ready.search(asked, DEPTH))}, scope, parsed))
        for measure in parsed:
            values[system, measure] = mean_values([one[system, measure] for one, _ in scored])
        notes += scored[0][1]
    progress(len(systems), len(systems))
    return compare(values, baseline, notes)


def run_of(queries: Sequence[Query], results: Sequence[Sequence[ScoredId]]) -> Run:
    """Return search results as a run: query id → document id → score."""
    return {query.id: {hit.document: hit.score for hit in hits} for query, hits in zip(queries, results, strict=True)}


def _test_queries(collection: Collection) -> Sequence[Query]:
    """Return the queries of the test split, or all if there are none, without those with incomplete labels."""
    test = [query for query in collection.queries if query.split == "test"]
    return [query for query in test or collection.queries if not query.incomplete_labels]


def _named(rankers: Rankers) -> dict[str, Sequence[Ranker]]:
    if isinstance(rankers, Mapping):
        return {name: _made(one) for name, one in rankers.items()}
    made = [ranker for one in rankers for ranker in _made(one)]
    named: dict[str, Sequence[Ranker]] = {ranker.name: [ranker] for ranker in made}
    if len(named) < len(made):
        raise InputError(
            "two rankers have the same name",
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="give the rankers as a mapping from names of your choice",
        )
    return named


def _made(ranker: str | Ranker | Sequence[Ranker]) -> Sequence[Ranker]:
    if isinstance(ranker, str):
        return [make_ranker(ranker)]
    return [ranker] if isinstance(ranker, Ranker) else ranker
