"""Values computed by hand and by a second implementation."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgear.errors import InputError
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.scoring import score

# Ranked a, z-b, d, c: the first two tie, and trec_eval's own order (z-b, a) would give other values below.
RUN = {"q": {"z-b": 5.0, "a": 5.0, "d": 1.0, "c": 0.5}}
QRELS = {"q": {"z-b": 3, "c": 1, "lost": 2, "d": 0}}
LOG3, LOG5 = math.log2(3), math.log2(5)
EXPONENTIAL, LINEAR = Measure("nDCG", 10, dcg="exp-log2"), Measure("nDCG", 10)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("R@2", 1 / 3),
        ("R@10", 2 / 3),
        ("R(rel=2)@10", 1 / 2),
        ("P@2", 1 / 2),
        ("P@10", 2 / 10),
        ("RR", 1 / 2),
        ("MRR@1", 0.0),
        ("RR(rel=1)@2", 1 / 2),
        ("AP", (1 / 2 + 2 / 4) / 3),
        ("MAP@2", (1 / 2) / 3),
        ("Judged@2", 1 / 2),
        ("Judged@4", 3 / 4),
        ("mrr_gear", (1 / 2 + 1 / 4) / 2),
        ("nDCG(dcg='exp-log2')@3", (7 / LOG3) / (7 + 3 / LOG3 + 1 / 2)),
        ("nDCG(dcg='exp-log2')@10", (7 / LOG3 + 1 / LOG5) / (7 + 3 / LOG3 + 1 / 2)),
        ("nDCG(dcg='exp-log2')", (7 / LOG3 + 1 / LOG5) / (7 + 3 / LOG3 + 1 / 2)),
        ("nDCG@3", (3 / LOG3) / (3 + 2 / LOG3 + 1 / 2)),
        ("nDCG@10", (3 / LOG3 + 1 / LOG5) / (3 + 2 / LOG3 + 1 / 2)),
    ],
)
def test_a_value_computed_by_hand_comes_out(written: str, value: float) -> None:
    (measure,) = parse_measures(written)
    assert score(RUN, QRELS, [measure]) == {measure: {"q": pytest.approx(value, abs=1e-12)}}


def test_both_gains_can_be_asked_for_at_once() -> None:
    together = score(RUN, QRELS, [EXPONENTIAL, LINEAR])
    assert together == score(RUN, QRELS, [EXPONENTIAL]) | score(RUN, QRELS, [LINEAR])
    assert together[EXPONENTIAL] != together[LINEAR]


def test_mrr_gear_looks_at_thirty_documents_and_falls_when_more_are_found() -> None:
    run = {"q": {f"d{rank:02}": -float(rank) for rank in range(1, 41)}}
    (measure,) = parse_measures("mrr_gear")
    assert score(run, {"q": {"d02": 1}}, [measure])[measure] == {"q": 0.5}
    assert score(run, {"q": {"d02": 1, "d30": 1}}, [measure])[measure] == {"q": (1 / 2 + 1 / 30) / 2}
    assert score(run, {"q": {"d31": 1}}, [measure])[measure] == {"q": 0.0}


def test_a_query_that_is_not_ranked_counts_as_zero() -> None:
    measures = parse_measures("nDCG@10,nDCG(dcg='exp-log2')@10,R@10,RR,RR@10,AP,P@5,Judged@5,mrr_gear")
    runs: list[dict[str, dict[str, float]]] = [{}, {"q": {}}, {"other": {"z-b": 1.0}}]
    for run in runs:
        assert all(values == {"q": 0.0} for values in score(run, QRELS, measures).values())


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("R(rel=2)@5", {"high"}),
        ("P@5", {"low", "high"}),
        ("RR(rel=2)", {"high"}),
        ("AP", {"low", "high"}),
        ("nDCG@5", {"low", "high"}),
        ("nDCG(dcg='exp-log2')@5", {"low", "high"}),
        ("mrr_gear(rel=2)", {"high"}),
    ],
)
def test_a_query_without_a_relevant_document_counts_as_zero(written: str, found: set[str]) -> None:
    qrels = {"none": {"a": 0, "b": -1}, "empty": {}, "low": {"a": 1}, "high": {"a": 3}}
    (measure,) = parse_measures(written)
    values = score({query: {"a": 1.0} for query in qrels}, qrels, [measure])[measure]
    assert list(values) == list(qrels)
    assert {query for query, value in values.items() if value > 0} == found


def test_grades_too_high_for_exponential_gain_are_refused_with_a_remedy() -> None:
    with pytest.raises(InputError, match="measure nDCG, which has linear gain"):
        score(RUN, {"q": {"a": 100}}, [EXPONENTIAL])
    assert score(RUN, {"q": {"a": 100}}, [LINEAR])


def brute_force(order: list[str], grades: dict[str, int], measure: Measure) -> float:
    cut = order[: measure.cutoff]
    good = {name for name, grade in grades.items() if grade >= measure.rel}
    hits = [rank for rank, name in enumerate(cut, start=1) if name in good]

    def dcg(row: list[int]) -> float:
        gains = [2 ** max(grade, 0) - 1 if measure.exponential else max(grade, 0) for grade in row]
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))

    first = [1 / rank for rank in hits if rank <= 30]
    found_so_far = [found / rank for found, rank in enumerate(hits, start=1)]
    ideal = sorted(grades.values(), reverse=True)[: measure.cutoff]
    values: dict[str, Callable[[], float]] = {
        "R": lambda: len(hits) / len(good),
        "P": lambda: len(hits) / (measure.cutoff or 1),
        "RR": lambda: 1 / hits[0] if hits else 0.0,
        "AP": lambda: sum(found_so_far) / len(good),
        "mrr_gear": lambda: sum(first) / len(first) if first else 0.0,
        "nDCG": lambda: dcg([grades.get(name, 0) for name in cut]) / dcg(ideal),
    }
    return values[measure.name]() if good else 0.0


ids = st.text("abé案9", min_size=1, max_size=2)
queries = st.sampled_from(["q1", "q2", "-3"])
runs = st.dictionaries(queries, st.dictionaries(ids, st.sampled_from([0.0, 0.25, 0.5, 0.5 + 1e-12, 2.0])))
labels = st.dictionaries(queries, st.dictionaries(ids, st.integers(-1, 4)))
measures = st.lists(
    st.sampled_from(
        parse_measures(
            "R@1,R(rel=2)@3,R@50,P@2,P(rel=3)@4,RR,RR@2,RR(rel=3),AP,AP(rel=2)@2,mrr_gear,mrr_gear(rel=2),nDCG,nDCG@1,"
            "nDCG@3,nDCG(dcg='exp-log2'),nDCG(dcg='exp-log2')@1,nDCG(dcg='exp-log2')@3"
        )
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=300)
@given(run=runs, qrels=labels, asked=measures)
def test_a_second_implementation_agrees_ties_and_all(
    run: dict[str, dict[str, float]], qrels: dict[str, dict[str, int]], asked: list[Measure]
) -> None:
    for measure, values in score(run, qrels, asked).items():
        assert list(values) == list(qrels)
        for query, value in values.items():
            order = [name for _, name in sorted((-score, name) for name, score in run.get(query, {}).items())]
            assert value == pytest.approx(brute_force(order, qrels[query], measure), abs=1e-12)
