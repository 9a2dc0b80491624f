"""Split of the training queries into those to learn from and those held out. Test queries are never used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.document_files import ids_of, in_order
from lexgear.corpus.records import Collection, Query
from lexgear.docids.ids import DocIds


@dataclass(frozen=True, slots=True)
class QuerySplit:
    """Labelled training queries by purpose; no query serves two purposes.

    >>> str(QuerySplit(learnt=[Query("a", ""), Query("b", "")], validation=[Query("c", "")]))
    'trained on 2 labelled queries; held out: 1 for validation'
    """

    learnt: Sequence[Query]
    validation: Sequence[Query] = ()
    """Queries for early stopping."""
    weighing: Sequence[Query] = ()
    """Queries for fitting the weights that are learnt after the generator."""

    def __str__(self) -> str:
        if not self.learnt:
            return "no labelled training queries: trained on the documents alone"
        used = {"validation": self.validation, "weight learning": self.weighing}
        parts = [f"{len(queries)} for {what}" for what, queries in used.items() if queries]
        return f"trained on {len(self.learnt)} labelled queries; held out: {', '.join(parts) or 'none'}"


def split_queries(collection: Collection, held_out: float, seed: int) -> tuple[list[Query], list[Query]]:
    """Return the labelled training queries in a seeded order, as those to learn from and a held-out share.

    Queries with incomplete labels are only learnt from.
    """
    barred = never_train_on(collection)
    labelled = [
        query
        for query in collection.queries
        if query.split == "train" and query.id not in barred and relevant(collection, query)
    ]
    order = [labelled[place] for place in np.random.default_rng(seed).permutation(len(labelled))]
    complete = [query for query in order if not query.incomplete_labels]
    validation = complete[: round(len(complete) * held_out)]
    away = {query.id for query in validation}
    return [query for query in order if query.id not in away], validation


def never_train_on(collection: Collection) -> frozenset[str]:
    """Return the ids of queries and judgments that the collection's authors exclude from training."""
    return frozenset(collection.source.get("never_train_on", "").split())


def trainable_judgments(collection: Collection) -> list[int]:
    """Return the positions of judgments that may be used as training queries."""
    barred = never_train_on(collection)
    return [place for place, name in enumerate(ids_of(collection.documents)) if name not in barred]


def relevant(collection: Collection, query: Query) -> list[str]:
    """Return the documents relevant to a query, without the judgments it was drawn from."""
    grades = collection.qrels.get(query.id, {})
    return [
        name for name, grade in grades.items() if grade >= collection.relevant_from and name not in query.own_documents
    ]


def charges_of(collection: Collection, query: Query) -> tuple[str, ...]:
    """Return the charges of a training query; if it has none, those of at least half of its relevant documents."""
    if query.charges:
        return query.charges
    answers = set(relevant(collection, query))
    found = Counter(charge for one in in_order(collection.documents, answers) for charge in one.charges)
    return tuple(charge for charge, times in found.items() if 2 * times >= len(answers))


def relevant_leaves(collection: Collection, queries: Sequence[Query], ids: DocIds) -> list[NDArray[Any]]:
    """Return for each query the leaves of all documents relevant to it."""
    position = {name: place for place, name in enumerate(ids_of(collection.documents))}
    return [
        np.concatenate([ids.trie.leaves_of(position[name]) for name in relevant(collection, query)])
        for query in queries
    ]
