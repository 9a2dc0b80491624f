"""Fusion of two rankings, compared with sums by hand; the weight is chosen on held-out queries."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from lexgear.api import Index, save
from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
from lexgear.rankers.base import ScoredId
from lexgear.rankers.baselines.random_order import RandomOrder, RandomOrderSettings
from lexgear.rankers.fusion import Fusion, FusionSettings, fused
from lexgear.rankers.words.bm25 import BM25

FIRST = [ScoredId("a", 4.0), ScoredId("b", 2.0), ScoredId("c", 0.0)]
SECOND = [ScoredId("d", 30.0), ScoredId("c", 20.0), ScoredId("b", 10.0)]


def test_z_scores_are_added_and_a_missing_document_counts_as_last() -> None:
    z = 1.5**0.5
    found = dict(fused(FIRST, SECOND, 0.25, "scores"))
    assert found == pytest.approx(
        {"a": 0.75 * z - 0.25 * z, "b": -0.25 * z, "c": -0.75 * z, "d": -0.75 * z + 0.25 * z}, abs=1e-5
    )


def test_ranks_are_added_as_their_reciprocals() -> None:
    found = fused(FIRST, SECOND, 0.5, "ranks")
    assert [hit.document for hit in found] == ["b", "c", "a", "d"]  # a and d are each first once, and tie
    assert found[0].score == pytest.approx(0.5 / 62 + 0.5 / 63, abs=1e-5)


@pytest.mark.parametrize("how", ["scores", "ranks"])
def test_a_ranker_fused_with_a_random_order_gets_nearly_all_the_weight(
    sample: Collection, how: Literal["scores", "ranks"], tmp_path: Path
) -> None:
    few = replace(sample, documents=sample.documents[:300])
    kept = {document.id for document in few.documents}
    few = replace(few, qrels={name: {d: g for d, g in row.items() if d in kept} for name, row in few.qrels.items()})
    ranker = Fusion(FusionSettings(first="random", second="bm25", combine=how)).fit(few)
    assert ranker.weight > 0.5
    test = [Query(query.id, query.text) for query in few.queries if query.split == "test"][:5]
    save(few, ranker, tmp_path / "index")
    assert Index.load(tmp_path / "index").ranker.search(test, 10) == ranker.search(test, 10)
    again = ranker.with_queries(few)
    assert again.weight == ranker.weight


def test_a_random_order_still_gets_the_smallest_weight(sample: Collection) -> None:
    ranker = Fusion(FusionSettings(first="bm25", second="random", combine="ranks")).fit(sample)
    queries = [query for query in sample.queries if query.split == "test"][:3]
    alone = BM25().fit(sample).search(queries, 50)
    assert [[hit.document for hit in hits] for hits in ranker.search(queries, 50)] != [
        [hit.document for hit in hits] for hits in alone
    ]
    assert ranker.weight == 0.1


def test_neither_part_is_trained_on_the_queries_that_choose_the_weight(sample: Collection) -> None:
    learnt, asked = Fusion()._hold_out(sample)
    assert asked
    assert not {query.id for query in asked} & {query.id for query in learnt.queries if query.split == "train"}


def test_a_fusion_of_fusions_is_refused(sample: Collection) -> None:
    with pytest.raises(InputError, match="cannot contain a fusion"):
        Fusion(FusionSettings(second="fusion")).fit(sample)
    with pytest.raises(InputError, match="one of scores, ranks"):
        FusionSettings(combine="luck")  # type: ignore[arg-type]


def test_a_random_order_is_the_same_for_the_same_seed_and_another_for_every_query(sample: Collection) -> None:
    queries = [Query("a", "甲"), Query("b", "甲")]
    first, again, other = (RandomOrder(RandomOrderSettings(seed)).fit(sample) for seed in (0, 0, 1))
    found = [ranker.search(queries, 20) for ranker in (first, again, other)]
    orders = [[[hit.document for hit in hits] for hits in one] for one in found]
    assert orders[0] == orders[1] != orders[2]
    assert orders[0][0] != orders[0][1]
