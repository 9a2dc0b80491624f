import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from fingerprints import first_tenth_last
from lexgear.corpus.datasets.bsard import read_bsard
from lexgear.corpus.datasets.registry import read_collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError
from lexgear.files import read_json, read_jsonl, write_jsonl
from lexgear.progress import silent
from shared_data import SHARED, needs_shared

ARTICLES = ["id", "reference", "article", "law_type", "code", "book", "part", "act", "chapter"]
QUESTIONS = ["id", "category", "question", "article_ids"]


def write_csv(file: Path, *rows: list[str]) -> None:
    with file.open("w", newline="", encoding="utf-8") as opened:
        csv.writer(opened).writerows(rows)


@pytest.fixture
def official(tmp_path: Path) -> Path:
    write_csv(
        tmp_path / "articles.csv",
        ARTICLES,
        [
            "1",
            "Art. 5bis, Code Rural (Livre 1er)",
            "Le bail,\nsur deux lignes.",
            "r",
            "Code Rural",
            "Livre 1er",
            "",
            "",
            "",
        ],
        ["2", "Art. 6, Code Rural (Livre 1er)", "La chasse.", "r", "Code Rural", "Livre 1er", "", "Titre II", ""],
        ["3", "Art. 7, Code Rural", "", "r", "Code Rural", "", "", "", ""],
    )
    write_csv(tmp_path / "questions_train.csv", QUESTIONS, ["10", "x", "Puis-je chasser ?", "2, 1"])
    write_csv(
        tmp_path / "questions_test.csv", QUESTIONS, ["11", "x", "Et pêcher ?", "99"], ["12", "x", "Et louer ?", "1"]
    )
    return tmp_path


def test_the_official_csv_files_give_articles_with_their_place_in_the_code(official: Path) -> None:
    skipped = SkippedRecords()
    collection = read_bsard(official, skipped, silent)
    assert collection.name == "bsard"
    assert [(document.id, document.title, document.node) for document in collection.documents] == [
        ("1", "Code Rural, art. 5bis", "Code Rural/1/5bis"),
        ("2", "Code Rural, art. 6", "Code Rural/1/2/6"),
    ]
    assert collection.documents[0].text == "Le bail,\nsur deux lignes."
    assert [(query.id, query.split) for query in collection.queries] == [("10", "train"), ("12", "test")]
    assert collection.qrels == {"10": {"2": 1, "1": 1}, "12": {"1": 1}}
    assert [(skip.file.name, skip.line, skip.record, skip.reason) for skip in skipped.entries] == [
        ("articles.csv", 5, "3", "empty article"),
        ("questions_test.csv", 2, "11", "an article that answers it is not in the corpus"),
    ]


def test_a_table_without_its_columns_is_refused(official: Path) -> None:
    write_csv(official / "questions_test.csv", ["id", "question"], ["1", "?"])
    with pytest.raises(InputError, match=r"questions_test.csv:1: no column article_ids"):
        read_bsard(official, SkippedRecords(), silent)


@needs_shared
def test_the_rebuilt_benchmark_has_6340_articles_and_789_plus_98_usable_questions() -> None:
    skipped = SkippedRecords()
    collection = read_bsard(SHARED / "bsard", skipped, silent)
    assert collection.name == "bsard-rebuilt"
    assert len(collection.documents) == 6340
    assert first_tenth_last(collection.documents) == [
        ("889", 96, "2d8fb0bb"),
        ("898", 219, "3c543b73"),
        ("886", 787, "623ee5c4"),
    ]
    assert Counter(query.split for query in collection.queries) == {"train": 789, "test": 98}
    assert first_tenth_last(collection.queries) == [
        ("91", 33, "8216a108"),
        ("967", 97, "439c9e40"),
        ("512", 123, "ef7c433d"),
    ]
    assert list(skipped.counts()) == [("an article that answers it is not in the corpus", 97 + 13)]
    usable = {
        str(row["id"])
        for split in ("train", "test")
        for _, row in read_jsonl(SHARED / f"bsard/questions.{split}.jsonl")
        if row["rebuilt"]
    }
    assert {query.id for query in collection.queries} == usable


@needs_shared
def test_every_rebuilt_article_hangs_in_one_of_ten_codes() -> None:
    collection = read_bsard(SHARED / "bsard", SkippedRecords(), silent)
    law = collection.law
    assert len(law.roots) == 10
    assert len({document.node for document in collection.documents}) == 6340
    assert {law[document.node].kind for document in collection.documents} == {"article"}
    mixed = [node for node in law if {"article"} < {child.kind for child in law.children(node)}]
    assert len(mixed) == 33


def write_packed(directory: Path, fixes: object = None) -> Path:
    articles = [{"id": str(n), "code": "Code Civil", "number": str(n), "path": [], "text": "…"} for n in (1, 2, 3)]
    write_jsonl(directory / "articles.jsonl", articles)
    question = {"id": 7, "question": "Puis-je ?", "articles": ["2", "1", "3"], "rebuilt": True}
    write_jsonl(directory / "questions.train.jsonl", [question])
    write_jsonl(directory / "questions.test.jsonl", [{**question, "id": 8, "articles": ["3"]}])
    if fixes is not None:
        (directory / "label_fixes.json").write_text(json.dumps(fixes), encoding="utf-8")
    return directory


def test_label_fixes_change_the_qrels_once_and_the_source_says_how_many(tmp_path: Path) -> None:
    fixes = [{"label": "2", "article": "1"}, {"label": "3", "article": "2"}]
    collection = read_bsard(write_packed(tmp_path, fixes), SkippedRecords(), silent)
    assert collection.qrels == {"7": {"1": 1, "2": 1}, "8": {"2": 1}}
    assert collection.source["label fixes"] == (
        "3 labels of 2 questions corrected by label_fixes.json, whose evidence includes test questions"
    )


def test_without_label_fixes_the_qrels_hold_the_ids_of_the_questions(tmp_path: Path) -> None:
    collection = read_bsard(write_packed(tmp_path), SkippedRecords(), silent)
    assert collection.qrels == {"7": {"2": 1, "1": 1, "3": 1}, "8": {"3": 1}}
    assert "label fixes" not in collection.source


@pytest.mark.parametrize(
    ("fixes", "problem"),
    [
        ([{"label": "2"}], "unexpected structure"),
        (["2"], "unexpected structure"),
        ({"2": "1"}, "not a JSON list"),
        ([{"label": "2", "article": "9"}], "unknown article '9'"),
    ],
)
def test_label_fixes_that_cannot_be_used_are_an_error(tmp_path: Path, fixes: object, problem: str) -> None:
    with pytest.raises(InputError, match=rf"label_fixes.json: {problem}"):
        read_bsard(write_packed(tmp_path, fixes), SkippedRecords(), silent)


@needs_shared
def test_the_label_fixes_change_116_training_and_14_test_questions_of_which_114_and_13_are_usable() -> None:
    fixes = {row["label"]: row["article"] for row in read_json(SHARED / "bsard/label_fixes.json")}
    assert len(fixes) == 147
    collection = read_bsard(SHARED / "bsard", SkippedRecords(), silent)
    changed, usable = Counter[str](), Counter[str]()
    for split in ("train", "test"):
        for _, row in read_jsonl(SHARED / f"bsard/questions.{split}.jsonl"):
            fixed = {fixes.get(article, article) for article in row["articles"]}
            changed[split] += fixed != set(row["articles"])
            if row["rebuilt"]:
                usable[split] += fixed != set(row["articles"])
                assert set(collection.qrels[str(row["id"])]) == fixed
    assert changed == {"train": 116, "test": 14}
    assert usable == {"train": 114, "test": 13}
    assert collection.source["label fixes"].startswith("382 labels of 127 questions")
    assert collection.qrels["1053"] == {"946": 1, "947": 1}  # a stillborn child: articles 58 and 59


@needs_shared
def test_gears_pool_is_the_articles_that_answer_some_question() -> None:
    pool = read_collection("bsard", SHARED / "bsard", SkippedRecords(), pool="closed")
    assert (pool.name, len(pool.documents), len(pool.queries)) == ("bsard-rebuilt-closed", 1246, 887)
    assert {document.id for document in pool.documents} == {one for grades in pool.qrels.values() for one in grades}


def test_a_question_in_both_files_is_skipped_in_the_second(official: Path) -> None:
    write_csv(official / "questions_test.csv", QUESTIONS, ["10", "x", "Puis-je pêcher ?", "2"])
    skipped = SkippedRecords()
    assert [(query.id, query.split) for query in read_bsard(official, skipped, silent).queries] == [("10", "train")]
    assert [(skip.file.name, skip.reason) for skip in skipped.entries][-1] == ("questions_test.csv", "duplicate id")
