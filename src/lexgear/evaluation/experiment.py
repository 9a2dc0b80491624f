"""One call, one table: several systems on one collection, over seeds, measured and tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lexgear.corpus.records import Collection, Query
from lexgear.evaluation.comparison import Evaluation, compare
from lexgear.evaluation.coverage import Charges
from lexgear.evaluation.evaluate import evaluate
from lexgear.evaluation.measures import Measure
from lexgear.evaluation.scope import Scope
from lexgear.evaluation.scoring import Values
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.trec import Run

DEPTH = 1000
"""How many documents a query are ranked; TREC's own depth."""


def experiment(
    collection: Collection,
    systems: Mapping[str, Sequence[Ranker]],
    measures: Sequence[Measure],
    *,
    queries: Sequence[Query],
    baseline: str | None = None,
    in_pools: bool = False,
    fitted: Mapping[str, Ranker] | None = None,
) -> Evaluation:
    """Fits every system, searches and scores the queries, and tests each against the baseline.

    A system is given as one ranker a seed; a query's value is the mean over them. `in_pools` scores within
    each query's official candidates. Systems in `fitted` are searched as they are.
    """
    scope = Scope(
        {query.id: collection.qrels[query.id] for query in queries if query.id in collection.qrels},
        pools=collection.pools if in_pools else None,
        own={query.id: query.own_documents for query in queries if query.own_documents},
    )
    charges = Charges(
        {query.id: query.charges for query in queries},
        {document.id: document.charges for document in collection.documents},
    )
    values: dict[tuple[str, Measure], Values] = {}
    notes: dict[str, None] = {}
    ready = {name: [ranker] for name, ranker in (fitted or {}).items()}
    for system, seeds in {**systems, **ready}.items():
        found = []
        for ranker in seeds:
            results = (ranker if system in ready else ranker.fit(collection)).search(queries, DEPTH)
            found.append(evaluate({system: run_of(queries, results)}, scope, measures, charges=charges))
        for measure in measures:
            values[system, measure] = mean_values([one.values[system, measure] for one in found])
        notes |= dict.fromkeys(found[0].notes)
    return compare(values, baseline, notes)


def run_of(queries: Sequence[Query], results: Sequence[Sequence[ScoredId]]) -> Run:
    """Hits as a run: query id → document id → score."""
    return {query.id: {hit.document: hit.score for hit in hits} for query, hits in zip(queries, results, strict=True)}


def mean_values(seeds: Sequence[Values]) -> Values:
    """The mean over seeds, query by query."""
    return {query: sum(seed[query] for seed in seeds) / len(seeds) for query in seeds[0]}
