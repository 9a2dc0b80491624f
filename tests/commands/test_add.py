"""Tests of `lexgear add` and `lexgear remove`."""

import json
from pathlib import Path

import pytest

from commands.conftest import Run
from lexgear.api import Index, train
from lexgear.corpus.json_rows import document_row
from lexgear.corpus.sample.statutes import sample_statutes
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.words.bm25 import BM25
from lexgear.settings import configure
from rankers.generative.test_gear import COLLECTION

FACTS = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元，次日被抓获，如实供述。"


@pytest.fixture
def index(tmp_path: Path) -> Path:
    train(COLLECTION, BM25(), tmp_path / "index")
    return tmp_path / "index"


def lines(path: Path, *rows: object) -> None:
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")


def found(run: Run, k: int = 3) -> list[str]:
    return [row["id"] for row in json.loads(run("search", "index", "--text", FACTS, "--k", str(k), "--json")[1])]


def test_a_document_is_found_after_it_is_added_and_not_after_it_is_removed(run: Run, tmp_path: Path) -> None:
    train(COLLECTION, Lexgear(configure(LexgearSettings, backbone="")), tmp_path / "index")
    before = run("search", "index", "--text", FACTS, "--json")
    lines(tmp_path / "new.jsonl", {"id": "look-1", "text": FACTS, "charges": ["盗窃罪"]})
    assert run("add", "index", "new.jsonl") == (0, "index: 1 document added; 101 in total\n", "")
    assert found(run)[0] == "look-1"
    assert run("check", "index")[1].startswith("index: lexgear over 101 documents")
    assert run("remove", "index", "look-1") == (0, "index: 1 document removed; 100 left\n", "")
    assert run("search", "index", "--text", FACTS, "--json") == before


def test_missing_fields_are_extracted_from_the_text_as_by_import(index: Path, run: Run, tmp_path: Path) -> None:
    judgment = f"{FACTS}本院认为，被告人张某的行为已构成盗窃罪。判决如下：被告人张某犯盗窃罪，判处有期徒刑八个月。"
    plain, told = {"id": "plain", "text": judgment}, {"id": "told", "text": judgment, "charges": ["抢劫"]}
    lines(tmp_path / "new.jsonl", plain, told, {"id": "none", "text": judgment, "charges": []})
    assert run("add", "index", "new.jsonl")[0] == 0
    documents = {document.id: document for document in Index.load(index).stored.catalogue.documents()}
    assert documents["plain"].charges == ("盗窃罪",)
    assert documents["plain"].penalty is not None
    assert documents["told"].charges == ("抢劫罪",)
    assert documents["told"].penalty is None
    assert documents["none"].charges == ()


def test_ids_to_remove_come_from_the_command_line_and_from_a_file(index: Path, run: Run, tmp_path: Path) -> None:
    [first, second, third, *_] = [document.id for document in COLLECTION.documents]
    lines(tmp_path / "ids.txt", first, "", second)
    assert run("remove", "index", third, "--from", "ids.txt")[1] == "index: 3 documents removed; 97 left\n"
    left = Index.load(index).stored.catalogue.ids()
    assert not {first, second, third} & set(left)


def test_a_known_document_is_replaced_only_with_replace(index: Path, run: Run, tmp_path: Path) -> None:
    name = COLLECTION.documents[5].id
    lines(tmp_path / "new.jsonl", {"id": name, "text": FACTS, "charges": ["盗窃罪"]})
    code, _, err = run("add", "index", "new.jsonl")
    assert (code, name in err, "--replace" in err) == (2, True, True)
    said = "index: 1 document added, 1 of them as replacements; 100 in total\n"
    assert run("add", "index", "new.jsonl", "--replace") == (0, said, "")
    assert found(run)[0] == name
    assert Index.load(index).stored.catalogue.document(name).text == FACTS


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (['{"id": "x"'], "new.jsonl:2: not valid JSON"),
        ([{"id": "x"}], "new.jsonl:2: x: no text"),
        ([{"id": "x y", "text": "现金"}], "new.jsonl:2: x y: id is empty or contains spaces"),
        ([{"id": "x", "text": "现金", "charges": ["飞行罪"]}], "new.jsonl:2: x: unknown charge '飞行罪'"),
        ([{"id": "x", "text": "现金", "node": "nowhere"}], "new.jsonl:2: x: the law has no node 'nowhere'"),
        ([{"id": "x", "text": "现金", "date": "yesterday"}], "new.jsonl:2: x: date 'yesterday' is not a valid date"),
        ([{"id": "fine", "text": "现金"}], "new.jsonl:2: fine: duplicate id"),
    ],
)
def test_a_line_that_cannot_be_used_is_named_and_none_is_added(
    index: Path, run: Run, tmp_path: Path, rows: list[object], said: str
) -> None:
    lines(tmp_path / "new.jsonl", {"id": "fine", "text": FACTS, "charges": ["盗窃罪"]}, *rows)
    before = (index / "manifest.json").read_bytes()
    code, _, err = run("add", "index", "new.jsonl")
    assert code == 2
    assert err.startswith(f"lexgear: {said}")
    assert err.count("\n") == 1
    assert (index / "manifest.json").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "index", "nowhere.jsonl"), "nowhere.jsonl: no such file"),
        (("add", "index", "empty.jsonl"), "empty.jsonl: the file has no documents"),
        (("add", "nowhere", "empty.jsonl"), "nowhere: no such index"),
        (("remove", "index"), "give document ids"),
        (("remove", "index", "nobody"), "the index has no document 'nobody'"),
    ],
)
def test_wrong_usage_is_refused_with_a_remedy(
    index: Path, run: Run, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    lines(tmp_path / "empty.jsonl")
    code, _, err = run(*arguments)
    assert (code, said in err) == (2, True)


def test_statutory_articles_are_added_and_removed(run: Run, tmp_path: Path) -> None:
    collection = sample_statutes()
    train(collection, Lexgear(configure(LexgearSettings, backbone="")), tmp_path / "index")
    article = collection.documents[-1]
    assert run("remove", "index", article.id)[0] == 0
    lines(tmp_path / "new.jsonl", document_row(article), {"id": "note", "text": article.text})
    assert run("add", "index", "new.jsonl")[0] == 0
    hits = json.loads(run("search", "index", "--text", article.text, "--k", "2", "--json")[1])
    assert {hit["id"] for hit in hits} == {article.id, "note"}
    [placed] = [hit["paths"] for hit in hits if hit["id"] == article.id]
    assert placed[0][-1] == article.node
