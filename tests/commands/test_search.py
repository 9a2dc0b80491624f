"""Tests of `lexgear search` and `lexgear judge` on an index of the ranker lexgear."""

import json
from pathlib import Path

import pytest

from commands.conftest import Run
from lexgear.api import Index, train
from lexgear.rankers.lexgear.ranker import Lexgear
from rankers.generative.test_gear import COLLECTION
from rankers.small import QUICK_LEXGEAR

FACTS = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元，次日被抓获，如实供述。"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return train(COLLECTION, Lexgear(QUICK_LEXGEAR), tmp_path_factory.mktemp("answers") / "index")


def queries(path: Path, labelled: bool) -> None:
    rows = [
        {"id": query.id, "text": query.text, "split": query.split} | ({"charges": query.charges} if labelled else {})
        for query in COLLECTION.queries
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def test_hits_are_explained_on_the_screen_and_in_json(index: Index, run: Run) -> None:
    directory = str(index.stored.directory)
    code, out, _ = run("search", directory, "--text", FACTS, "--k", "2")
    assert code == 0
    assert out.count("charge -") == 2
    assert "words +" in out
    [first, _] = json.loads(run("search", directory, "--text", FACTS, "--k", "2", "--json")[1])
    why = first["explanation"]
    assert sum(why[part] for part in ("charge", "content", "words", "past_questions", "legal_terms")) == pytest.approx(
        first["score"], abs=1e-4
    )
    assert [step["place"] for step in why["paths"][0]] == first["paths"][0][1:]


def test_a_judgment_is_printed_and_complete_in_json(index: Index, run: Run) -> None:
    directory = str(index.stored.directory)
    code, out, _ = run("judge", directory, "--text", FACTS)
    assert code == 0
    assert "applies   盗窃罪" in out
    assert "└── 盗窃罪  100.0%" in out
    row = json.loads(run("judge", directory, "--text", f"{FACTS}[bold]", "--json")[1])
    assert row.keys() == {"charges", "articles", "rationale", "note", "walk"}
    assert row["note"] is None
    first = row["charges"][0]
    assert first.keys() == {"name", "probability", "share", "path", "applies", "rationale", "grade", "expressions"}
    assert FACTS[first["rationale"][0]["start"] : first["rationale"][0]["end"]] == first["rationale"][0]["text"]


def test_a_file_of_queries_is_judged_and_scored_if_it_has_charges(index: Index, run: Run, tmp_path: Path) -> None:
    directory = str(index.stored.directory)
    for labelled in (True, False):
        queries(tmp_path / "queries.jsonl", labelled)
        code, out, _ = run("judge", directory, "--queries", "queries.jsonl", "--out", f"{labelled}.jsonl")
        assert code == 0
        assert ("calibration error" in out) == labelled
    # Labels say how right a judgment was; they never change it.
    assert (tmp_path / "True.jsonl").read_bytes() == (tmp_path / "False.jsonl").read_bytes()
    assert len((tmp_path / "True.jsonl").read_text().splitlines()) == len(COLLECTION.queries)
    out = run("judge", directory, "--queries", "queries.jsonl", "--split", "test", "--out", "test.jsonl")[1]
    assert f"{sum(query.split == 'test' for query in COLLECTION.queries)} judgments" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--text"),
        (("--text", "x", "--split", "test"), "--split"),
        (("--queries", "q.jsonl", "--out", "o.jsonl", "--json"), "--json"),
        (("--queries", "nowhere.jsonl", "--out", "o.jsonl"), "nowhere.jsonl"),
    ],
)
def test_wrong_usage_is_refused_with_a_remedy(index: Index, run: Run, arguments: tuple[str, ...], said: str) -> None:
    code, _, err = run("judge", str(index.stored.directory), *arguments)
    assert code == 2
    assert said in err
