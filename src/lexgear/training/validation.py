"""The value that validation maximises: mean reciprocal rank over held-out training queries."""

from __future__ import annotations

from collections.abc import Collection as Ids
from collections.abc import Iterable, Sequence

from lexgear.corpus.records import Collection, Query
from lexgear.training.query_split import relevant


def reciprocal_rank(documents: Iterable[str], wanted: Ids[str]) -> float:
    """Return 1 / rank of the first relevant document; 0 if there is none.

    >>> reciprocal_rank(["a", "b", "c"], {"b", "c"})
    0.5
    """
    return next((1 / rank for rank, name in enumerate(documents, start=1) if name in wanted), 0.0)


def mean_reciprocal_rank(collection: Collection, queries: Sequence[Query], rankings: Iterable[Iterable[str]]) -> float:
    """Return the mean reciprocal rank of one ranking per query, by the labels of the collection."""
    total = 0.0
    for query, ranking in zip(queries, rankings, strict=True):
        total += reciprocal_rank(ranking, set(relevant(collection, query)))
    return total / len(queries)
