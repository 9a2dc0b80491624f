"""Values on published runs, compared with ir_measures, trec_eval and gdeval."""

import shutil
from pathlib import Path

import ir_measures
import pytest
import pytrec_eval

from lexgear.evaluation.measures import parse_measures
from lexgear.evaluation.scope import leave_out, read_id_lists
from lexgear.evaluation.scoring import score
from lexgear.trec import Qrels, Run, ranking, read_qrels, read_run
from shared_data import SHARED, needs_shared

LECARD = SHARED / "lecard"
PEERS = sorted((LECARD / "peers").glob("*.run"))
IR_MEASURES = (
    *("nDCG@10", "nDCG", "R@20", "R(rel=3)@20", "RR", "RR(rel=3)", "RR@10", "AP", "AP(rel=3)", "AP@10"),
    *("P@5", "P(rel=2)@10", "Judged@10"),
)
TREC_EVAL = {
    "ndcg_cut_10": "nDCG@10",
    "map": "AP(rel=3)",
    "recip_rank": "RR(rel=3)",
    "recall_20": "R(rel=3)@20",
    "P_10": "P(rel=3)@10",
}

pytestmark = needs_shared


def without_ties(run: Run) -> dict[str, dict[str, float]]:
    """The same order with all scores different: other tools order ties by descending id."""
    return {
        query: {name: 1.0 / rank for rank, name in enumerate(ranking(scores), start=1)} for query, scores in run.items()
    }


@pytest.fixture(params=[False, True], ids=["all documents", "own judgments left out"])
def own(request: pytest.FixtureRequest) -> dict[str, tuple[str, ...]]:
    return read_id_lists(LECARD / "own_judgments.json") if request.param else {}


@pytest.fixture(params=PEERS, ids=lambda path: path.stem)
def published(request: pytest.FixtureRequest, own: dict[str, tuple[str, ...]]) -> tuple[Run, Qrels]:
    path: Path = request.param
    return leave_out(read_run(path), own), leave_out(read_qrels(LECARD / "qrels.trec"), own)


def test_all_five_published_runs_are_there() -> None:
    assert len(PEERS) == 5


def test_ir_measures_gives_the_same_value_for_every_query_and_the_same_mean(published: tuple[Run, Qrels]) -> None:
    run, qrels = published
    theirs = {written: ir_measures.parse_measure(written) for written in IR_MEASURES}
    found = {
        (metric.measure, metric.query_id): metric.value
        for metric in ir_measures.iter_calc(theirs.values(), qrels, without_ties(run))
    }
    means = ir_measures.calc_aggregate(theirs.values(), qrels, without_ties(run))
    for measure in parse_measures(IR_MEASURES):
        values = score(run, qrels, [measure])[measure]
        name = theirs[repr(measure)]
        assert values == pytest.approx({query: found[name, query] for query in qrels}, abs=1e-12)
        assert sum(values.values()) / len(values) == pytest.approx(means[name], abs=1e-12)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a Perl script, and Perl is not installed")
@pytest.mark.parametrize("cutoff", [5, 10, 20])
def test_gdeval_gives_the_same_exponential_gain_to_its_five_decimals(published: tuple[Run, Qrels], cutoff: int) -> None:
    number = {query: str(place) for place, query in enumerate(published[1], start=1)}  # gdeval knows no others
    run = {number[query]: row for query, row in published[0].items()}
    qrels = {number[query]: row for query, row in published[1].items()}
    (measure,) = parse_measures([f"nDCG(dcg='exp-log2')@{cutoff}"])
    theirs = ir_measures.parse_measure(repr(measure))
    found = {m.query_id: m.value for m in ir_measures.gdeval.iter_calc([theirs], qrels, without_ties(run))}
    assert score(run, qrels, [measure])[measure] == pytest.approx(found, abs=5.1e-6)
    assert max(found.values()) > 0.5


def test_trec_eval_gives_the_same_values(published: tuple[Run, Qrels]) -> None:
    run, qrels = published
    trec_eval = pytrec_eval.RelevanceEvaluator(qrels, set(TREC_EVAL), relevance_level=3)
    # trec_eval puts equal scores in descending order of id, we in ascending order: so it is asked twice.
    as_published = trec_eval.evaluate(run)
    in_our_order = trec_eval.evaluate(without_ties(run))
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
