"""Tests of the choice among rankers inside the training folds."""

from collections.abc import Sequence
from typing import Self

import pytest

from lexgear.corpus.records import Collection, Document, Query
from lexgear.evaluation.folds import cross_validate
from lexgear.evaluation.measures import Measure
from lexgear.evaluation.nested import NestedChoice
from lexgear.progress import Progress
from lexgear.rankers.base import ScoredId
from lexgear.rankers.scope import Scope
from lexgear.rankers.words.bm25 import BM25

QUERIES = tuple(Query(f"q{number}", f"text {number}") for number in range(9))
COLLECTION = Collection(
    "nine",
    "zh",
    (Document("a", {"text": "甲"}), Document("b", {"text": "乙"})),
    QUERIES,
    {query.id: {"a" if number else "b": 1} for number, query in enumerate(QUERIES)},
)


class Constant(BM25):
    """Ranks the same document first for every query, and records the queries whose labels it has seen."""

    def __init__(self, first: str) -> None:
        super().__init__()
        self.first, self.seen = first, set[str]()

    def _with_queries(self, collection: Collection, progress: Progress) -> Self:
        other = type(self)(self.first)
        self.seen |= set(collection.qrels)
        other.seen = set(collection.qrels)
        return other

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        assert not self.seen & {query.id for query in queries}
        second = "b" if self.first == "a" else "a"
        return [[ScoredId(self.first, 2.0), ScoredId(second, 1.0)] for _ in queries]


def choice() -> NestedChoice:
    return NestedChoice({"first b": Constant("b"), "first a": Constant("a")}, Measure("RR"), folds=2, seed=0)


def test_every_fold_uses_the_ranker_that_is_best_on_its_training_queries() -> None:
    nested = choice()
    run = cross_validate(COLLECTION, nested, 3, seed=0)
    assert nested.chosen == {"first a": 3}
    assert {max(scores, key=scores.__getitem__) for scores in run.values()} == {"a"}


def test_no_ranker_sees_the_label_of_a_query_it_is_measured_on() -> None:
    """`Constant._search` fails if it does, in the inner folds as in the outer ones."""
    nested = choice()
    cross_validate(COLLECTION, nested, 3, seed=0)
    assert all(ranker.seen == {query.id for query in QUERIES} for ranker in nested.rankers.values())  # type: ignore[attr-defined]


def test_with_official_pools_a_choice_counts_both_all_documents_and_the_pools() -> None:
    pooled = Collection(
        COLLECTION.name,
        "zh",
        COLLECTION.documents,
        QUERIES,
        COLLECTION.qrels,
        pools={query.id: ("b",) for query in QUERIES},
    )
    assert choice().value(COLLECTION, Constant("a")) == pytest.approx((8 + 0.5) / 9)
    assert choice().value(pooled, Constant("a")) == pytest.approx(((8 + 0.5) / 9 + 1 / 9) / 2)
