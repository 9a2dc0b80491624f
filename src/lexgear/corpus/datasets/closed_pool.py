"""Closed pools: collections cut down to the candidates that GEAR's authors rank, those relevant to some query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from lexgear.corpus.records import Collection
from lexgear.errors import ErrorCode, InputError

POOLS = ("all", "closed")


@dataclass(frozen=True, slots=True)
class PoolRule:
    """The documents that belong to a closed pool."""

    grade: int
    """The lowest grade that counts."""
    queries: int
    """Number of queries for which a document must have that grade."""

    def __str__(self) -> str:
        times = "one query" if self.queries == 1 else f"{self.queries} queries"
        return f"documents of grade {self.grade} or more for at least {times}"


RULES: Mapping[str, PoolRule] = {
    "bsard": PoolRule(grade=1, queries=1),
    "lecard": PoolRule(grade=2, queries=1),
    "lecardv2": PoolRule(grade=2, queries=2),
}
"""Data set → rule. Those of BSARD and LeCaRDv2 give the paper's 1,612 and 1,390 candidates from the official files."""


def pool_rule(name: str) -> PoolRule:
    """Return the rule of a data set's closed pool."""
    if name not in RULES:
        raise InputError(
            f"the data set {name} has no closed pool",
            code=ErrorCode.USAGE,
            remedy=f"only {', '.join(RULES)} have one",
        )
    return RULES[name]


def closed_pool(collection: Collection, rule: PoolRule) -> Collection:
    """Return the closed pool of a collection, named `…-closed`.

    Queries without a relevant document in the pool are left out. The grade of the rule is the lowest relevant one. A
    query's own documents do not count for the rule, since they are never among its results.
    """
    relevant = {
        query.id: {
            document
            for document, grade in collection.qrels.get(query.id, {}).items()
            if grade >= rule.grade and document not in query.own_documents
        }
        for query in collection.queries
    }
    times = Counter(document for documents in relevant.values() for document in documents)
    kept = {document for document, count in times.items() if count >= rule.queries}
    queries = tuple(query for query in collection.queries if relevant[query.id] & kept)
    asked = {query.id for query in queries}
    return replace(
        collection,
        name=f"{collection.name}-closed",
        documents=tuple(document for document in collection.documents if document.id in kept),
        queries=tuple(
            replace(query, own_documents=tuple(one for one in query.own_documents if one in kept)) for query in queries
        ),
        qrels={
            query: {document: grade for document, grade in grades.items() if document in kept}
            for query, grades in collection.qrels.items()
            if query in asked
        },
        pools={
            query: tuple(document for document in pool if document in kept)
            for query, pool in collection.pools.items()
            if query in asked
        },
        relevant_from=rule.grade,
        source={**collection.source, "pool": f"closed: {rule}"},
    )
