from dataclasses import replace
from pathlib import Path

import pytest

from lexgear.corpus.records import Collection
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.errors import InputError
from lexgear.evaluation.evaluate import evaluate
from lexgear.evaluation.experiment import experiment, run_of
from lexgear.rankers.baselines.random_order import RandomOrder, RandomOrderSettings
from lexgear.rankers.words.bm25 import BM25


@pytest.fixture(scope="module")
def statutes() -> Collection:
    return sample_statutes()


def test_names_and_rankers_are_fitted_searched_and_scored_on_the_test_queries(statutes: Collection) -> None:
    result = experiment(statutes, ["bm25", RandomOrder()], "RR, R@10", baseline="bm25")
    test = [query for query in statutes.queries if query.split == "test"]
    run = run_of(test, BM25().fit(statutes).search(test, 1000))
    expected = evaluate({"bm25": run}, {query.id: statutes.qrels[query.id] for query in test}, "RR, R@10")
    (rr, _) = result.measures
    assert result.systems == ("bm25", "random")
    assert result.values["bm25", rr] == expected.values["bm25", rr]
    difference = result.cells["random", rr].difference
    assert difference is not None
    assert difference.mean < 0


def test_a_system_of_several_seeds_has_the_mean_of_their_values(statutes: Collection) -> None:
    seeds = [RandomOrder(RandomOrderSettings(seed)) for seed in (0, 1)]
    result = experiment(statutes, {"both": seeds, "first": seeds[0], "second": seeds[1]}, "RR")
    (rr,) = result.measures
    both, first, second = (result.values[name, rr] for name in ("both", "first", "second"))
    assert both == {query: pytest.approx((first[query] + second[query]) / 2) for query in both}


def test_fitted_rankers_are_not_fitted_again(statutes: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    ranker = BM25().fit(statutes)
    monkeypatch.setattr(BM25, "fit", lambda *_: pytest.fail("fitted again"))
    assert experiment(statutes, [], "RR", fitted={"words": ranker}).systems == ("words",)


def test_all_queries_count_if_there_is_no_test_split(statutes: Collection, tmp_path: Path) -> None:
    unsplit = replace(statutes, queries=tuple(replace(query, split="") for query in statutes.queries))
    save_collection(unsplit, tmp_path / "c", SkippedRecords())
    result = experiment(tmp_path / "c", ["bm25"], "RR")
    assert result.cells["bm25", result.measures[0]].queries == len(statutes.queries)


def test_the_result_is_a_data_frame_with_one_row_per_system(statutes: Collection) -> None:
    pytest.importorskip("pandas")
    frame = experiment(statutes, ["bm25", "query_likelihood"], "RR, R@10", baseline="bm25").to_pandas()
    assert list(frame["system"]) == ["bm25", "query_likelihood"]
    columns = ["", " low", " high", " difference", " p-value", " p-value corrected"]
    assert list(frame.columns) == ["system", *(f"{m}{column}" for m in ("RR", "R@10") for column in columns)]
    assert frame["RR difference"].isna().tolist() == [True, False]
    assert frame["RR"][1] - frame["RR"][0] == pytest.approx(frame["RR difference"][1])


def test_printing_the_result_shows_a_markdown_table(statutes: Collection) -> None:
    assert str(experiment(statutes, ["bm25"], "RR")).startswith("| system | RR |\n| --- | ---: |\n| bm25 | 0.")


def test_two_rankers_of_one_name_and_an_unknown_baseline_are_refused(statutes: Collection) -> None:
    with pytest.raises(InputError, match="two rankers have the same name"):
        experiment(statutes, ["bm25", BM25()], "RR")
    with pytest.raises(InputError, match=r"no ranker named 'dense' to compare with \(choose from bm25\)"):
        experiment(statutes, ["bm25"], "RR", baseline="dense")
