"""The value that validation maximises: mean reciprocal rank over held-out training queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lexgear.corpus.records import Collection, Query
from lexgear.training.query_split import relevant
from lexgear.trec import reciprocal_rank


def mean_reciprocal_rank(collection: Collection, queries: Sequence[Query], rankings: Iterable[Iterable[str]]) -> float:
    """Return the mean reciprocal rank of one ranking per query, by the labels of the collection."""
    total = 0.0
    for query, ranking in zip(queries, rankings, strict=True):
        total += reciprocal_rank(ranking, set(relevant(collection, query)))
    return total / len(queries)
