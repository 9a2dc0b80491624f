from pathlib import Path

import pytest

from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.errors import InputError
from lexgear.evaluation.scope import Scope, judged_only, leave_out, make_scope, over_pools, read_id_lists

RUN = {"q": {"own": 4.0, "a": 3.0, "b": 2.0, "c": 1.0}, "r": {"own": 2.0, "a": 1.0}}
QRELS = {"q": {"own": 3, "a": 0, "c": 2}, "r": {"own": 1}}


def test_pools_keep_each_querys_candidates() -> None:
    assert over_pools(RUN, {"q": ["b", "c", "never ranked"], "r": ("own",)}) == {
        "q": {"b": 2.0, "c": 1.0},
        "r": {"own": 2.0},
    }


def test_a_query_without_a_pool_is_an_error_and_not_a_zero() -> None:
    with pytest.raises(InputError, match=r"no candidates for 1 query \(r\)"):
        over_pools(RUN, {"q": ["a"]})


def test_judged_documents_are_those_with_a_label_of_any_grade() -> None:
    assert judged_only(RUN, QRELS) == {"q": {"own": 4.0, "a": 3.0, "c": 1.0}, "r": {"own": 2.0}}


def test_own_judgments_leave_run_and_labels_of_that_query_alone() -> None:
    own = {"q": ("own",)}
    assert leave_out(RUN, own) == {"q": {"a": 3.0, "b": 2.0, "c": 1.0}, "r": RUN["r"]}
    assert leave_out(QRELS, own) == {"q": {"a": 0, "c": 2}, "r": {"own": 1}}


def test_a_scope_applies_everything_at_once_and_says_what_it_left_out() -> None:
    scope = Scope(QRELS, pools={"q": ["own", "a", "b"], "r": ["own"]}, own={"q": ["own"]}, judged=True)
    runs, labels, notes = scope.apply({"ours": RUN | {"unknown": {"a": 1.0}}})
    assert runs == {"ours": {"q": {"a": 3.0}, "r": {"own": 2.0}}}
    assert labels == {"q": {"a": 0, "c": 2}, "r": {"own": 1}}
    assert [str(note) for note in notes] == [
        "labels of the queries' own judgments left out: 1",
        "ours: 1 query (unknown) ranked without a label, not counted",
    ]


def test_queries_not_ranked_are_said_to_count_as_zero() -> None:
    _, labels, notes = Scope(QRELS).apply({"all": RUN, "part": {"q": RUN["q"]}})
    assert set(labels) == {"q", "r"}
    assert [str(note) for note in notes] == ["part: 1 query (r) of 2 not ranked, counted as 0"]


def test_ranked_keeps_the_queries_that_every_run_ranks() -> None:
    runs, labels, notes = Scope(QRELS, ranked=True).apply({"all": RUN, "part": {"q": RUN["q"]}})
    assert set(labels) == set(runs["all"]) == {"q"}
    assert [str(note) for note in notes] == ["1 query (r) of 2 left out: not ranked by every run"]


def test_only_the_queries_asked_for_count_in_runs_and_labels() -> None:
    runs, labels, notes = Scope(QRELS, queries={"r", "unlabelled"}).apply({"all": RUN})
    assert (runs, labels) == ({"all": {"r": RUN["r"]}}, {"r": QRELS["r"]})
    assert [str(note) for note in notes] == ["1 of 2 labelled queries scored"]


def test_a_run_of_another_collection_is_refused() -> None:
    with pytest.raises(InputError, match="stard ranks none of the queries to score"):
        Scope(QRELS).apply({"lecard": RUN, "stard": {"s1": {"a": 1.0}}})


def test_a_scope_is_read_from_files(tmp_path: Path) -> None:
    (tmp_path / "qrels.trec").write_text("q 0 7 2\n")
    (tmp_path / "pools.json").write_text('{"q": [7, "8"]}')
    (tmp_path / "own.json").write_text('{"q": ["9"]}')
    assert make_scope(
        tmp_path / "qrels.trec", pools=tmp_path / "pools.json", exclude=tmp_path / "own.json", judged=True
    ) == Scope({"q": {"7": 2}}, pools={"q": ("7", "8")}, own={"q": {"9"}}, judged=True)


@pytest.mark.parametrize("text", ['["a"]', '{"q": "a"}', "3"])
def test_a_file_that_holds_no_lists_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "pools.json").write_text(text)
    with pytest.raises(InputError, match=r"pools\.json: not an object of lists"):
        read_id_lists(tmp_path / "pools.json")


def test_queries_with_incomplete_labels_are_not_scored_and_what_they_teach_is_seen(tmp_path: Path) -> None:
    queries = (
        Query("train", "甲", split="train"),
        Query("incomplete", "乙", split="train", incomplete_labels=True),
        Query("seen", "丙", split="test"),
        Query("unseen", "丁", split="test"),
        Query("half", "戊", split="test"),
    )
    qrels = {"train": {"a": 1}, "incomplete": {"b": 1}, "seen": {"b": 1}, "unseen": {"c": 1}, "half": {"a": 1, "c": 1}}
    documents = tuple(Document(name, {"text": name}) for name in "abc")
    collection = Collection("five", "zh", documents, queries, qrels)
    save_collection(collection, tmp_path / "five", SkippedRecords())
    for labels in (collection, tmp_path / "five", tmp_path / "five" / "qrels.trec"):
        assert sorted(make_scope(labels).qrels) == ["half", "seen", "train", "unseen"]
        assert make_scope(labels, unseen=True).queries == {"unseen"}
        assert make_scope(labels, split="test", unseen=True).queries == {"unseen"}
        assert make_scope(labels, split="train", unseen=True).queries == set()
    with pytest.raises(InputError, match="labels alone do not say which queries are training queries"):
        make_scope(qrels, unseen=True)
