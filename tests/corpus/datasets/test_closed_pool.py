"""Closed pools: which documents, queries and labels are left."""

from pathlib import Path

import pytest

from lexgear.corpus.datasets.closed_pool import PoolRule, closed_pool
from lexgear.corpus.datasets.registry import read_collection
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError

COLLECTION = Collection(
    "small",
    "zh",
    documents=tuple(map(Document, "abcd")),
    queries=(Query("1", "", own_documents=("a", "c")), Query("2", ""), Query("3", "")),
    qrels={"1": {"a": 3, "b": 2, "d": 0}, "2": {"b": 1, "c": 2, "d": 1}, "3": {"d": 1}},
    pools={"1": ("a", "b"), "3": ("d",)},
    relevant_from=3,
)


def test_documents_relevant_to_some_query_are_kept_with_all_their_labels() -> None:
    pool = closed_pool(COLLECTION, PoolRule(grade=2, queries=1))
    assert (pool.name, pool.relevant_from) == ("small-closed", 2)
    assert [document.id for document in pool.documents] == ["b", "c"]  # "a" is relevant only to its own query
    assert pool.queries == (Query("1", "", own_documents=("c",)), Query("2", ""))
    assert pool.qrels == {"1": {"b": 2}, "2": {"b": 1, "c": 2}}
    assert pool.pools == {"1": ("b",)}
    assert pool.source["pool"] == "closed: documents of grade 2 or more for at least one query"


def test_a_rule_may_ask_for_several_queries() -> None:
    pool = closed_pool(COLLECTION, PoolRule(grade=1, queries=2))
    assert [document.id for document in pool.documents] == ["b", "d"]


@pytest.mark.parametrize(("name", "pool", "problem"), [("stard", "closed", "no closed pool"), ("lecard", "x", "'x'")])
def test_a_data_set_without_a_closed_pool_is_refused_before_it_is_read(
    name: str, pool: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=problem):
        read_collection(name, tmp_path / "missing", SkippedRecords(), pool=pool)
