import json
from collections import Counter
from pathlib import Path

import pytest

from fingerprints import first_tenth_last
from lexgear.corpus.datasets.stard import read_stard
from lexgear.corpus.records import Collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.progress import silent
from shared_data import SHARED, needs_shared


@pytest.fixture
def official(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    (data / "example").mkdir(parents=True)
    corpus = [
        {"id": 5, "name": "某某条例第十七条之一", "content": "应当登记。\n"},
        {"id": 6, "name": "某某条例第二十条", "content": "应当公开。"},
        {"id": 7, "name": "没有条号", "content": "内容"},
    ]
    (data / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)))
    questions = [
        {"query_id": 0, "问题": "要登记吗？", "match_id": [5, 6]},
        {"query_id": 1, "问题": "要公开吗？", "match_id": [6]},
        {"query_id": 2, "问题": "要交税吗？", "match_id": [700]},
    ]
    (data / "queries.json").write_text(json.dumps(questions))
    (data / "example/qrels.dev.tsv").write_text("1\t6\n")
    return tmp_path


def test_the_official_layout_gives_each_article_its_law_and_number(official: Path) -> None:
    skipped = SkippedRecords()
    collection = read_stard(official, skipped, silent)
    assert [(document.id, document.title, document.node) for document in collection.documents] == [
        ("5", "某某条例第十七条之一", "某某条例/17-1"),
        ("6", "某某条例第二十条", "某某条例/20"),
    ]
    assert [(query.id, query.split) for query in collection.queries] == [("0", "train"), ("1", "test")]
    assert collection.qrels == {"0": {"5": 1, "6": 1}, "1": {"6": 1}}
    assert [(skip.record, skip.reason) for skip in skipped.entries] == [
        ("7", "name without an article number"),
        ("2", "an article that answers it is not in the corpus"),
    ]


def test_a_question_the_packed_files_call_incomplete_is_left_out(tmp_path: Path) -> None:
    article = {"id": "s0", "law": "某法", "number": "第一条", "path": ["第一章 总则"], "text": "甲", "source": "a.md"}
    (tmp_path / "articles.jsonl").write_text(json.dumps(article))
    question = {"id": "0", "query": "？", "articles": ["s0"], "complete": False}
    (tmp_path / "queries.train.jsonl").write_text(json.dumps(question))
    (tmp_path / "queries.test.jsonl").write_text(json.dumps({**question, "id": "1", "complete": True}))
    skipped = SkippedRecords()
    assert [query.id for query in read_stard(tmp_path, skipped, silent).queries] == ["1"]
    assert [skip.record for skip in skipped.entries] == ["0"]


@pytest.fixture(scope="module")
def packed() -> Collection:
    return read_stard(SHARED / "stard", SkippedRecords(strict=True), silent)


@needs_shared
def test_the_packed_files_hold_64666_articles_and_1389_questions(packed: Collection) -> None:
    assert len(packed.documents) == 64666
    assert first_tenth_last(packed.documents) == [
        ("s0", 43, "00dd8c52"),
        ("s9", 74, "e26cb257"),
        ("s64665", 14, "dea4eaa7"),
    ]
    assert Counter(query.split for query in packed.queries) == {"train": 1235, "test": 154}
    assert first_tenth_last(packed.queries) == [
        ("0", 11, "85b7abaf"),
        ("12", 18, "da406ea3"),
        ("1542", 52, "3ea4616a"),
    ]
    assert sum(map(len, packed.qrels.values())) == 2470


@needs_shared
def test_every_packed_article_has_a_place_of_its_own(packed: Collection) -> None:
    law = packed.law
    assert len({document.node for document in packed.documents}) == 64666
    assert len(law.roots) == 1429
    assert len({node.title for node in law.roots}) == 1346
    roots = {node.id for node in law.roots}
    # 11,153 articles have no path; two more have a path of one empty heading.
    assert sum(law[document.node].parent in roots for document in packed.documents) == 11153 + 2
    assert packed.documents[0].title == "刑法第一条"
    assert packed.documents[0].node == "刑法/1/1/1"


def test_a_question_in_both_packed_files_is_skipped_in_the_second(tmp_path: Path) -> None:
    article = {"id": "s0", "law": "某法", "number": "第一条", "path": [], "text": "甲", "source": "a.md"}
    (tmp_path / "articles.jsonl").write_text(json.dumps(article))
    for split in ("train", "test"):
        question = {"id": "0", "query": "？", "articles": ["s0"]}
        (tmp_path / f"queries.{split}.jsonl").write_text(json.dumps(question))
    skipped = SkippedRecords()
    assert [query.split for query in read_stard(tmp_path, skipped, silent).queries] == ["train"]
    assert [(skip.file.name, skip.reason) for skip in skipped.entries] == [("queries.test.jsonl", "duplicate id")]


def test_a_question_repeated_in_the_official_file_is_skipped(official: Path) -> None:
    file = official / "data/queries.json"
    questions = json.loads(file.read_text())
    file.write_text(json.dumps([*questions[:2], questions[0]]))
    skipped = SkippedRecords()
    assert [query.id for query in read_stard(official, skipped, silent).queries] == ["0", "1"]
    assert ("0", "duplicate id") in [(skip.record, skip.reason) for skip in skipped.entries]
