"""Which queries a model may learn from, and which of them are held out to choose by. Never a test query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.docids.ids import DocIds


@dataclass(frozen=True, slots=True)
class QuerySplit:
    """What each of the labelled training queries is for; none is for two things.

    >>> str(QuerySplit(learnt=[Query("a", ""), Query("b", "")], validation=[Query("c", "")]))
    'learnt from 2 training queries; held out: 1 for validation'
    """

    learnt: Sequence[Query]
    validation: Sequence[Query] = ()
    """To stop training by."""
    weighing: Sequence[Query] = ()
    """To fit weights on that are learnt after the generator."""

    def __str__(self) -> str:
        if not self.learnt:
            return "no labelled training queries: learnt from the documents alone"
        used = {"validation": self.validation, "weighing": self.weighing}
        parts = [f"{len(queries)} for {what}" for what, queries in used.items() if queries]
        return f"learnt from {len(self.learnt)} training queries; held out: {', '.join(parts) or 'none'}"


def split_queries(collection: Collection, held_out: float, seed: int) -> tuple[list[Query], list[Query]]:
    """The labelled training queries in a seeded order: those to learn from, and a share held out."""
    barred = never_train_on(collection)
    labelled = [
        query
        for query in collection.queries
        if query.split == "train" and query.id not in barred and relevant(collection, query)
    ]
    order = [labelled[place] for place in np.random.default_rng(seed).permutation(len(labelled))]
    count = round(len(order) * held_out)
    return order[count:], order[:count]


def never_train_on(collection: Collection) -> frozenset[str]:
    """Queries and judgments that the collection's makers bar from training: test queries were drawn from them."""
    return frozenset(collection.source.get("never_train_on", "").split())


def trainable_judgments(collection: Collection) -> list[int]:
    """Positions of the judgments that may serve as if they were training queries."""
    barred = never_train_on(collection)
    return [place for place, document in enumerate(collection.documents) if document.id not in barred]


def relevant(collection: Collection, query: Query) -> list[str]:
    """The documents relevant to a query, its own judgments left out."""
    grades = collection.qrels.get(query.id, {})
    return [
        name for name, grade in grades.items() if grade >= collection.relevant_from and name not in query.own_documents
    ]


def charges_of(collection: Collection, query: Query) -> tuple[str, ...]:
    """The charges of a training query; where nobody says, those that at least half of what answers it has."""
    if query.charges:
        return query.charges
    answers = set(relevant(collection, query))
    found = Counter(charge for one in collection.documents if one.id in answers for charge in one.charges)
    return tuple(charge for charge, times in found.items() if 2 * times >= len(answers))


def relevant_leaves(collection: Collection, queries: Sequence[Query], ids: DocIds) -> list[NDArray[Any]]:
    """For each query the leaves of all documents relevant to it."""
    position = {document.id: place for place, document in enumerate(collection.documents)}
    return [
        np.concatenate([ids.trie.leaves_of(position[name]) for name in relevant(collection, query)])
        for query in queries
    ]
