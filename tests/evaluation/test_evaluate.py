import json
from dataclasses import replace
from pathlib import Path

import pytest

from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import load_collection, save_collection
from lexgear.errors import InputError
from lexgear.evaluation.coverage import Charges
from lexgear.evaluation.evaluate import DEFAULT_MEASURES, evaluate, named_runs
from lexgear.evaluation.measures import parse_measures
from lexgear.evaluation.scope import Scope, make_scope
from lexgear.trec import read_run, write_qrels
from shared_data import SHARED, needs_shared

LECARD = SHARED / "lecard"
RUNS = {"bm25": {"q": {"a": 2.0, "b": 1.0}, "r": {"a": 1.0}}, "ours": {"q": {"b": 2.0, "a": 1.0}}}
SCOPE = Scope({"q": {"b": 3}, "r": {"b": 1}, "s": {"a": 0}})


def test_runs_are_scored_tested_and_what_was_left_out_is_said() -> None:
    evaluation = evaluate(RUNS, SCOPE, "RR, nDCG@10", baseline="bm25")
    (rr, _) = evaluation.measures
    assert evaluation.values["bm25", rr] == {"q": 0.5, "r": 0.0, "s": 0.0}
    assert evaluation.cells["ours", rr].mean == 1 / 3
    assert evaluation.comparisons == 2
    assert [str(note) for note in evaluation.notes] == [
        "bm25: 1 query (s) of 3 not ranked, counted as 0",
        "ours: 2 queries (r, s) of 3 not ranked, counted as 0",
        "1 of 3 queries have no relevant document, counted as 0",
    ]


def test_coverage_stands_beside_the_other_measures_both_ways() -> None:
    charges = Charges({"q": ("盗窃罪",), "r": ()}, {"b": ("盗窃罪",)}, {"ours": {"q": ["盗窃罪"]}})
    measures = parse_measures("coverage@1,MRR,coverage_judgment@1")
    evaluation = evaluate(RUNS, replace(SCOPE, load_charges=lambda: charges), measures, baseline="bm25")
    assert evaluation.measures == measures
    assert [evaluation.values[system, measures[0]] for system in RUNS] == [{"q": 0.0}, {"q": 1.0}]
    assert [evaluation.values[system, measures[2]] for system in RUNS] == [{}, {"q": 1.0}]
    assert evaluation.comparisons == 2


def test_coverage_without_charges_is_refused() -> None:
    with pytest.raises(InputError, match=r"coverage@1 needs the charges .*evaluate against a collection"):
        evaluate(RUNS, SCOPE, ["coverage@1"])


def test_judgment_coverage_says_that_it_needs_judgments() -> None:
    scope = replace(SCOPE, load_charges=lambda: Charges({"q": ("盗窃罪",)}, {}))
    with pytest.raises(InputError, match=r"coverage_judgment@1 needs the charges that each system predicts"):
        evaluate(RUNS, scope, "coverage_judgment@1")


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """Four documents, two queries; q was drawn from `own`. The run ranks own, a, b for q and b for r."""
    save_collection(
        Collection(
            "small",
            "zh",
            tuple(Document(name, charges=("盗窃罪",)) for name in ("own", "a", "b", "c")),
            (Query("q", "甲", ("盗窃罪",), "train", ("own",)), Query("r", "乙", ("抢劫罪",), "test")),
            {"q": {"own": 2, "a": 1, "b": 2}, "r": {"b": 2}},
            relevant_from=2,
        ),
        tmp_path / "c",
        SkippedRecords(),
    )
    (tmp_path / "ours.run").write_text("q Q0 own 1 3 t\nq Q0 a 2 2 t\nq Q0 b 3 1 t\nr Q0 b 1 1 t\n")
    return tmp_path / "c"


def values(
    collection: Path, measure: str, *, exclude: Path | None = None, split: str | None = None
) -> dict[str, float]:
    run = collection.parent / "ours.run"
    evaluation = evaluate(run, make_scope(collection, exclude=exclude, split=split), measure)
    return dict(evaluation.values["ours", evaluation.measures[0]])


def test_a_collection_brings_its_own_judgments_its_threshold_and_its_charges(collection: Path) -> None:
    assert values(collection, "RR") == {"q": 0.5, "r": 1.0}
    assert values(collection, "coverage@1") == {"q": 1.0, "r": 0.0}
    assert values(collection, "RR", split="test") == {"r": 1.0}


def test_what_a_user_excludes_adds_to_the_own_judgments_of_the_collection(collection: Path) -> None:
    (collection.parent / "exclude.json").write_text('{"q": ["a"], "r": ["c"]}')
    assert values(collection, "RR", exclude=collection.parent / "exclude.json") == {"q": 1.0, "r": 1.0}


@pytest.mark.parametrize("wrong", ["two", 0, 1.5, None, True])
def test_a_collection_whose_lowest_relevant_grade_is_no_grade_is_refused(collection: Path, wrong: object) -> None:
    file = collection / "collection.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "relevant_from": wrong}))
    with pytest.raises(InputError, match=r"collection\.json: relevant_from is .*, not a grade"):
        values(collection, "RR")


def test_a_document_without_an_id_is_named_by_its_line(collection: Path) -> None:
    (collection / "documents.jsonl").write_text('{"id": "a", "charges": []}\n{"charges": []}\n')
    with pytest.raises(InputError, match=r"documents\.jsonl:2: no id"):
        values(collection, "coverage@1")


def test_a_baseline_that_is_no_run_is_refused() -> None:
    with pytest.raises(InputError, match=r"no run named 'dense' to compare with \(choose from bm25, ours\)"):
        evaluate(RUNS, SCOPE, ["RR"], baseline="dense")


def test_systems_go_by_file_name_and_by_path_where_two_share_one(tmp_path: Path) -> None:
    paths = [tmp_path / "bm25.run", tmp_path / "one" / "ours.run", tmp_path / "two" / "ours.run"]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text("q Q0 a 1 1.0 t\n")
    assert list(named_runs([*paths, paths[0]])) == ["bm25", str(paths[1]), str(paths[2])]


def test_the_default_measures_can_be_typed() -> None:
    assert [repr(measure) for measure in parse_measures(DEFAULT_MEASURES)] == list(DEFAULT_MEASURES)


@needs_shared
@pytest.mark.parametrize(
    ("peer", "ndcg", "queries"),
    [
        ("sailer_zeroshot_pool", 0.731, 80),
        ("bert_best_finetuned_judged", 0.722, 78),
        ("sailer_best_finetuned_judged", 0.772, 78),
        ("sailer_zeroshot_judged", 0.789, 78),
        ("keller_best_finetuned_judged", 0.816, 78),
    ],
)
def test_published_runs_score_what_was_measured_elsewhere(peer: str, ndcg: float, queries: int) -> None:
    """Own judgments left out; the mean over the queries that the run ranks."""
    pools = peer.endswith("pool")
    scope = make_scope(
        LECARD / "qrels.trec",
        pools=LECARD / "pools.json" if pools else None,
        exclude=LECARD / "own_judgments.json",
        judged=not pools,
        ranked=True,
    )
    measures = parse_measures(["nDCG(dcg='exp-log2')@10"])
    evaluation = evaluate(named_runs([LECARD / "peers" / f"{peer}.run"]), scope, measures)
    cell = evaluation.cells[peer, measures[0]]
    assert round(cell.mean, 3) == ndcg
    assert cell.queries == queries


def test_a_run_may_be_a_mapping_or_a_file_alone_or_by_name(collection: Path) -> None:
    path = collection.parent / "ours.run"
    run = read_run(path)
    for runs, name in (
        (run, "run"),
        (path, "ours"),
        (str(path), "ours"),
        ([path], "ours"),
        ({"mine": run}, "mine"),
        ({"mine": path}, "mine"),
    ):
        result = evaluate(runs, collection, "RR")
        assert result.systems == (name,)
        assert result.values[name, result.measures[0]] == {"q": 0.5, "r": 1.0}


def test_labels_may_be_a_mapping_a_file_a_directory_or_a_collection(collection: Path) -> None:
    path = collection.parent / "ours.run"
    in_directory, as_object = evaluate(path, collection, "RR"), evaluate(path, load_collection(collection), "RR")
    assert in_directory.values == as_object.values
    assert repr(as_object.measures) == "(RR(rel=2),)"
    plain = {"q": {"a": 1, "b": 2}, "r": {"b": 2}}
    write_qrels(collection.parent / "plain.trec", plain)
    by_mapping, by_file = evaluate(path, plain, "RR"), evaluate(path, collection.parent / "plain.trec", "RR")
    assert by_mapping.values == by_file.values == {("ours", by_file.measures[0]): {"q": 0.5, "r": 1.0}}


def test_a_split_needs_a_collection_and_not_labels_alone() -> None:
    with pytest.raises(InputError, match="labels alone do not say which queries belong to the split 'test'"):
        make_scope({"q": {"a": 1}}, split="test")
