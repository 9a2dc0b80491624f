"""Folds: each query is searched by a ranker that has not seen it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Self

import pytest

from lexgear.corpus.records import Collection, Document, Query
from lexgear.errors import InputError
from lexgear.evaluation.folds import cross_validate, fit_documents, make_folds
from lexgear.progress import Progress
from lexgear.rankers.base import ScoredId
from lexgear.rankers.scope import Scope
from lexgear.rankers.words.bm25 import BM25

QUERIES = tuple(Query(f"q{number}", f"text {number}", charges=("盗窃罪",)) for number in range(10))
COLLECTION = Collection(
    "ten",
    "zh",
    (Document("a", {"text": "甲"}), Document("b", {"text": "乙"})),
    QUERIES,
    {q.id: {"a": 3} for q in QUERIES},
)


class Witness(BM25):
    """Remembers what it was trained on, and tells when it is asked."""

    seen: ClassVar[list[tuple[set[str], set[str]]]] = []

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        self.known = {query.id for query in collection.queries if query.split == "train"}
        assert self.known == set(collection.qrels)
        return self

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        assert not any(query.charges for query in queries)
        self.seen.append((self.known, {query.id for query in queries}))
        return [[ScoredId("a", 1.0)] for _ in queries]


def test_every_query_is_answered_once_by_a_ranker_that_knows_only_the_others() -> None:
    Witness.seen.clear()
    run = cross_validate(COLLECTION, Witness(), 4, seed=1)
    assert run == {query.id: {"a": 1.0} for query in QUERIES}
    assert sorted(name for _, tested in Witness.seen for name in tested) == sorted(query.id for query in QUERIES)
    assert all(known == {query.id for query in QUERIES} - tested for known, tested in Witness.seen)


def test_a_query_with_incomplete_labels_is_trained_on_in_every_fold_and_never_searched() -> None:
    Witness.seen.clear()
    queries = (replace(QUERIES[0], incomplete_labels=True), *QUERIES[1:])
    run = cross_validate(replace(COLLECTION, queries=queries), Witness(), 3, seed=1)
    assert sorted(run) == sorted(query.id for query in QUERIES[1:])
    assert all("q0" in known for known, _ in Witness.seen)


class Pupil(Witness):
    """Learns the documents once, then from queries."""

    fits: ClassVar[list[int]] = []

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        self.fits.append(len(collection.queries))
        self.known = set()
        return self

    def can_update_queries(self) -> bool:
        return True

    def _with_queries(self, collection: Collection, progress: Progress) -> Self:
        other = type(self)()
        other.known = self.known | {query.id for query in collection.queries if query.split == "train"}
        return other


def test_what_learns_fit_documents_does_so_once_and_forgets_every_fold_before_the_next() -> None:
    Pupil.seen.clear()
    Pupil.fits.clear()
    cross_validate(COLLECTION, fit_documents(COLLECTION, Pupil()), 4, seed=1)
    assert Pupil.fits == [0]
    assert all(known == {query.id for query in QUERIES} - tested for known, tested in Pupil.seen)


def test_the_seed_alone_decides_who_is_in_which_fold() -> None:
    dealt = [[[query.id for query in fold] for fold in make_folds(QUERIES, 3, seed)] for seed in (0, 0, 1)]
    assert dealt[0] == dealt[1] != dealt[2]
    assert sorted(map(len, dealt[0])) == [3, 3, 4]


def test_queries_of_the_same_text_are_in_the_same_fold() -> None:
    """Or the answers of one would be known when the other is asked."""
    twins = [*QUERIES, *(Query(f"again {query.id}", query.text) for query in QUERIES[:3])]
    for fold in make_folds(twins, 4, seed=0):
        texts = {query.text for query in fold}
        assert [query.id for query in twins if query.text in texts] == sorted(
            (query.id for query in fold), key=[query.id for query in twins].index
        )


@pytest.mark.parametrize("count", [0, 1, 11])
def test_folds_need_two_parts_and_a_query_each(count: int) -> None:
    with pytest.raises(InputError, match="folds"):
        make_folds(QUERIES, count, seed=0)
