"""The measures by hand, against a second implementation, and against trec_eval on published runs."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.errors import InputError
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.scope import leave_out, read_id_lists
from lexgear.evaluation.scoring import score
from lexgear.trec import read_qrels, read_run
from shared_data import SHARED, needs_shared

# Ranked a, z-b, d, c: the first two tie, and trec_eval's own order (z-b, a) would give other values below.
RUN = {"q": {"z-b": 5.0, "a": 5.0, "d": 1.0, "c": 0.5}}
QRELS = {"q": {"z-b": 3, "c": 1, "lost": 2, "d": 0}}
LOG3, LOG5 = math.log2(3), math.log2(5)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("R@2", 1 / 3),
        ("R@10", 2 / 3),
        ("R(rel=2)@10", 1 / 2),
        ("P@2", 1 / 2),
        ("P@10", 2 / 10),
        ("MRR", 1 / 2),
        ("MRR@1", 0.0),
        ("MRR(rel=1)@2", 1 / 2),
        ("MAP", (1 / 2 + 2 / 4) / 3),
        ("MAP@2", (1 / 2) / 3),
        ("mrr_gear", (1 / 2 + 1 / 4) / 2),
        ("nDCG@3", (7 / LOG3) / (7 + 3 / LOG3 + 1 / 2)),
        ("nDCG@10", (7 / LOG3 + 1 / LOG5) / (7 + 3 / LOG3 + 1 / 2)),
        ("nDCG", (7 / LOG3 + 1 / LOG5) / (7 + 3 / LOG3 + 1 / 2)),
        ("nDCG_lin@3", (3 / LOG3) / (3 + 2 / LOG3 + 1 / 2)),
        ("nDCG_lin@10", (3 / LOG3 + 1 / LOG5) / (3 + 2 / LOG3 + 1 / 2)),
    ],
)
def test_a_value_computed_by_hand_comes_out(written: str, value: float) -> None:
    (measure,) = parse_measures([written])
    assert score(RUN, QRELS, [measure]) == {measure: {"q": pytest.approx(value, abs=1e-12)}}


def test_both_gains_asked_for_at_once_are_not_mixed_up() -> None:
    exponential, linear = Measure("nDCG", 10), Measure("nDCG_lin", 10)
    together = score(RUN, QRELS, [exponential, linear])
    assert together == score(RUN, QRELS, [exponential]) | score(RUN, QRELS, [linear])
    assert together[exponential] != together[linear]


def test_mrr_gear_looks_at_thirty_documents_and_falls_when_more_are_found() -> None:
    run = {"q": {f"d{rank:02}": -float(rank) for rank in range(1, 41)}}
    (measure,) = parse_measures(["mrr_gear"])
    assert score(run, {"q": {"d02": 1}}, [measure])[measure] == {"q": 0.5}
    assert score(run, {"q": {"d02": 1, "d30": 1}}, [measure])[measure] == {"q": (1 / 2 + 1 / 30) / 2}
    assert score(run, {"q": {"d31": 1}}, [measure])[measure] == {"q": 0.0}


def test_a_query_that_is_not_ranked_counts_as_zero() -> None:
    measures = parse_measures(["nDCG@10", "R@10", "MRR", "MRR@10", "MAP", "P@5", "mrr_gear"])
    runs: list[dict[str, dict[str, float]]] = [{}, {"q": {}}, {"other": {"z-b": 1.0}}]
    for run in runs:
        assert all(values == {"q": 0.0} for values in score(run, QRELS, measures).values())


def test_a_query_without_a_relevant_document_has_no_value() -> None:
    qrels = {"none": {"a": 0, "b": -1}, "empty": {}, "low": {"a": 1}, "high": {"a": 3}}
    run = {query: {"a": 1.0} for query in qrels}
    for written, counted in [("R(rel=2)@5", {"high"}), ("P@5", {"low", "high"}), ("nDCG@5", {"low", "high"})]:
        (measure,) = parse_measures([written])
        assert set(score(run, qrels, [measure])[measure]) == counted


def test_grades_too_high_for_exponential_gain_are_refused_with_a_remedy() -> None:
    with pytest.raises(InputError, match="measure nDCG_lin instead"):
        score(RUN, {"q": {"a": 100}}, [Measure("nDCG", 10)])
    assert score(RUN, {"q": {"a": 100}}, [Measure("nDCG_lin", 10)])


def brute_force(order: list[str], grades: dict[str, int], measure: Measure) -> float:
    cut = order[: measure.cutoff]
    good = {name for name, grade in grades.items() if grade >= measure.rel}
    hits = [rank for rank, name in enumerate(cut, start=1) if name in good]

    def dcg(gain: Callable[[int], float], row: list[int]) -> float:
        return sum(gain(max(grade, 0)) / math.log2(rank + 1) for rank, grade in enumerate(row, start=1))

    def ndcg(gain: Callable[[int], float]) -> float:
        ideal = sorted(grades.values(), reverse=True)[: measure.cutoff]
        return dcg(gain, [grades.get(name, 0) for name in cut]) / dcg(gain, ideal)

    first = [1 / rank for rank in hits if rank <= 30]
    found_so_far = [found / rank for found, rank in enumerate(hits, start=1)]
    values: dict[str, Callable[[], float]] = {
        "R": lambda: len(hits) / len(good),
        "P": lambda: len(hits) / (measure.cutoff or 1),
        "MRR": lambda: 1 / hits[0] if hits else 0.0,
        "MAP": lambda: sum(found_so_far) / len(good),
        "mrr_gear": lambda: sum(first) / len(first) if first else 0.0,
        "nDCG": lambda: ndcg(lambda grade: 2**grade - 1),
        "nDCG_lin": lambda: ndcg(lambda grade: grade),
    }
    return values[measure.name]()


ids = st.text("abé案9", min_size=1, max_size=2)
queries = st.sampled_from(["q1", "q2", "-3"])
runs = st.dictionaries(queries, st.dictionaries(ids, st.sampled_from([0.0, 0.25, 0.5, 0.5 + 1e-12, 2.0])))
labels = st.dictionaries(queries, st.dictionaries(ids, st.integers(-1, 4)))
measures = st.lists(
    st.sampled_from(
        parse_measures(
            [
                "R@1",
                "R(rel=2)@3",
                "R@50",
                "P@2",
                "P(rel=3)@4",
                "MRR",
                "MRR@2",
                "MRR(rel=3)",
                "MAP",
                "MAP(rel=2)@2",
                "mrr_gear",
                "mrr_gear(rel=2)",
                "nDCG",
                "nDCG@1",
                "nDCG@3",
                "nDCG_lin",
                "nDCG_lin@1",
                "nDCG_lin@3",
            ]
        )
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=300, deadline=None)
@given(run=runs, qrels=labels, asked=measures)
def test_a_second_implementation_agrees_ties_and_all(
    run: dict[str, dict[str, float]], qrels: dict[str, dict[str, int]], asked: list[Measure]
) -> None:
    for measure, values in score(run, qrels, asked).items():
        scored = [query for query, row in qrels.items() if any(grade >= measure.rel for grade in row.values())]
        assert list(values) == scored
        for query in scored:
            order = [name for _, name in sorted((-value, name) for name, value in run.get(query, {}).items())]
            assert values[query] == pytest.approx(brute_force(order, qrels[query], measure), abs=1e-12)


TREC_EVAL = {
    "ndcg_cut_10": "nDCG_lin@10",
    "map": "MAP(rel=3)",
    "recip_rank": "MRR(rel=3)",
    "recall_20": "R(rel=3)@20",
    "P_10": "P(rel=3)@10",
}
PEERS = sorted((SHARED / "lecard" / "peers").glob("*.run"))


def without_ties(scores: dict[str, float]) -> dict[str, float]:
    order = [name for _, name in sorted((-value, name) for name, value in scores.items())]
    return {name: 1.0 / rank for rank, name in enumerate(order, start=1)}


@needs_shared
@pytest.mark.parametrize("own", [False, True], ids=["all", "own judgments left out"])
@pytest.mark.parametrize("peer", PEERS, ids=lambda path: path.stem)
def test_published_runs_score_as_trec_eval_scores_them(peer: Path, own: bool) -> None:
    run, qrels = read_run(peer), read_qrels(SHARED / "lecard" / "qrels.trec")
    if own:
        left = read_id_lists(SHARED / "lecard" / "own_judgments.json")
        run, qrels = leave_out(run, left), leave_out(qrels, left)
    trec_eval = pytrec_eval.RelevanceEvaluator(qrels, set(TREC_EVAL), relevance_level=3)
    # trec_eval puts equal scores in descending order of id, we in ascending order: so it is asked twice.
    as_published = trec_eval.evaluate(run)
    in_our_order = trec_eval.evaluate({query: without_ties(scores) for query, scores in run.items()})
    untied = {query for query, scores in run.items() if len(set(scores.values())) == len(scores)}
    for theirs, written in TREC_EVAL.items():
        (measure,) = parse_measures([written])
        values = score(run, qrels, [measure])[measure]
        assert {query: values[query] for query in run} == pytest.approx(
            {query: in_our_order[query][theirs] for query in run}, abs=1e-12
        )
        assert {query: values[query] for query in untied} == pytest.approx(
            {query: as_published[query][theirs] for query in untied}, abs=1e-12
        )


@needs_shared
def test_all_five_published_runs_were_scored() -> None:
    assert len(PEERS) == 5
