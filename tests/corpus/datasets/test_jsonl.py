import json
from pathlib import Path

import pytest

from lexgear.corpus.datasets.jsonl import read_user_documents
from lexgear.corpus.records import Collection, Document, Penalty
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import load_collection, save_collection
from lexgear.errors import InputError
from lexgear.law.shipped import chinese_criminal_law
from lexgear.progress import silent

VERDICT = "被告人王某犯盗窃罪，判处有期徒刑一年一个月，并处罚金二千一百元。"


def write(file: Path, *rows: object) -> Path:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return file


def read(source: Path, skipped: SkippedRecords | None = None) -> Collection:
    return read_user_documents(source, skipped or SkippedRecords(strict=True), silent)


def test_one_file_of_ids_and_texts_is_a_collection(tmp_path: Path) -> None:
    collection = read(write(tmp_path / "cases.jsonl", {"id": 1, "text": " 王某翻墙。 "}, {"id": "b", "fact": "李某。"}))
    assert [(document.id, document.sections) for document in collection.documents] == [
        ("1", {"text": "王某翻墙。"}),
        ("b", {"fact": "李某。"}),
    ]
    assert (collection.name, collection.language) == ("cases", "zh")
    assert collection.law == chinese_criminal_law()


def test_what_a_judgment_says_is_read_out_of_it(tmp_path: Path) -> None:
    [document] = read(write(tmp_path / "c.jsonl", {"id": "1", "fact": "翻墙。", "verdict": VERDICT})).documents
    assert document.charges == ("盗窃罪",)
    assert document.penalty == Penalty("imprisonment", months=13, fine=2100)


def test_what_the_user_says_wins_over_what_the_text_says(tmp_path: Path) -> None:
    row = {"id": "1", "verdict": VERDICT, "charges": ["抢劫"], "penalty": {"kind": "life"}, "court": "某院"}
    [document] = read(
        write(
            tmp_path / "c.jsonl",
            row,
        )
    ).documents
    assert (document.charges, document.penalty, document.court) == (("抢劫罪",), Penalty("life"), "某院")
    [document] = read(write(tmp_path / "c.jsonl", {"id": "1", "verdict": VERDICT, "charges": []})).documents
    assert document.charges == ()


def test_an_unknown_charge_is_listed_and_with_strict_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", {"id": "1", "text": "甲乙", "charges": ["盗窃罪", "乱停车罪"]})
    skipped = SkippedRecords()
    assert read(file, skipped).documents[0].charges == ("盗窃罪",)
    assert [(skip.line, skip.reason) for skip in skipped.entries] == [(1, "unknown charge '乱停车罪'")]
    with pytest.raises(InputError, match=r"c.jsonl:1: 1: unknown charge '乱停车罪'"):
        read(file)


def test_records_without_id_or_text_and_repeated_ones_are_left_out(tmp_path: Path) -> None:
    rows = [{"id": "1", "text": "甲"}, {"text": "乙"}, {"id": "3"}, {"id": "4", "text": " "}, {"id": "1", "text": "丁"}]
    file = write(tmp_path / "c.jsonl", *rows)
    skipped = SkippedRecords()
    assert [document.text for document in read(file, skipped).documents] == ["甲"]
    assert [(skip.line, skip.reason) for skip in skipped.entries] == [
        (2, "no id"),
        (3, "no text"),
        (4, "empty text"),
        (5, "duplicate id"),
    ]


def test_a_line_that_is_no_json_object_is_always_an_error(tmp_path: Path) -> None:
    file = tmp_path / "c.jsonl"
    for line in ("nonsense", "[1]", '"text"'):
        file.write_text(f'{{"id": "1", "text": "a"}}\n{line}\n')
        with pytest.raises(InputError, match=r"c.jsonl:2: not "):
            read(file, SkippedRecords())


def test_a_file_without_one_usable_document_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file has no usable documents"):
        read(write(tmp_path / "c.jsonl", {"id": "1"}), SkippedRecords())


def test_a_directory_brings_queries_labels_and_a_law_of_its_own(tmp_path: Path) -> None:
    write(tmp_path / "documents.jsonl", {"id": "a", "text": "Le bail est résilié.", "node": "code/1"})
    write(tmp_path / "queries.jsonl", {"id": "q", "text": "Mon bail ?", "split": "test"}, {"id": "r"})
    (tmp_path / "qrels.trec").write_text("q 0 a 1\nq 0 z 1\n")
    law = [{"id": "code", "kind": "law", "number": "code"}, {"id": "code/1", "kind": "article", "parent": "code"}]
    (tmp_path / "law.json").write_text(json.dumps(law))
    skipped = SkippedRecords()
    collection = read(tmp_path, skipped)
    assert collection.language == "fr"
    assert collection.documents == (Document("a", {"text": "Le bail est résilié."}, node="code/1"),)
    assert collection.qrels == {"q": {"a": 1}}
    assert [node.id for node in collection.law] == ["code", "code/1"]
    assert [(skip.record, skip.reason) for skip in skipped.entries] == [
        ("r", "no text"),
        ("q z", "label of an unknown document"),
    ]


def test_a_place_the_law_does_not_have_is_left_out(tmp_path: Path) -> None:
    file = write(tmp_path / "c.jsonl", {"id": "1", "text": "甲"}, {"id": "2", "text": "乙", "node": "code/7"})
    skipped = SkippedRecords()
    assert len(read(file, skipped).documents) == 1
    assert [skip.reason for skip in skipped.entries] == ["the law has no node 'code/7'"]


def test_charges_are_those_of_the_users_law_where_there_is_one(tmp_path: Path) -> None:
    write(tmp_path / "documents.jsonl", {"id": "a", "text": "甲", "charges": ["海盗罪", "盗窃罪"]})
    law = [{"id": "x", "kind": "law"}, {"id": "x/1", "kind": "charge", "title": "海盗罪", "parent": "x"}]
    (tmp_path / "law.json").write_text(json.dumps(law))
    skipped = SkippedRecords()
    assert read(tmp_path, skipped).documents[0].charges == ("海盗罪",)
    assert [skip.reason for skip in skipped.entries] == ["unknown charge '盗窃罪'"]


def test_a_saved_collection_can_be_read_as_a_users_own(tmp_path: Path) -> None:
    first = read(write(tmp_path / "c.jsonl", {"id": "1", "fact": "翻墙。", "verdict": VERDICT}))
    save_collection(first, tmp_path / "c", SkippedRecords())
    assert read(tmp_path / "c").documents == load_collection(tmp_path / "c").documents == first.documents


def test_what_a_field_fails_to_say_is_read_out_of_the_text(tmp_path: Path) -> None:
    row = {"id": "1", "verdict": VERDICT, "penalty": {"kind": "weird"}, "level": "moon"}
    skipped = SkippedRecords()
    [document] = read(write(tmp_path / "c.jsonl", row), skipped).documents
    assert (document.penalty, document.level) == (Penalty("imprisonment", months=13, fine=2100), "")
    assert len(skipped.entries) == 2


def test_a_judgment_in_parts_may_have_its_whole_text_beside_them(tmp_path: Path) -> None:
    [document] = read(write(tmp_path / "c.jsonl", {"id": "1", "text": "全文。", "fact": "翻墙。"})).documents
    assert document.sections == {"text": "全文。", "fact": "翻墙。"}


def test_a_charge_of_the_users_law_goes_by_its_title_else_by_its_number(tmp_path: Path) -> None:
    write(tmp_path / "documents.jsonl", {"id": "a", "text": "甲", "charges": ["海盗罪", "决斗罪"]})
    law = [
        {"id": "x", "kind": "law"},
        {"id": "x/1", "kind": "charge", "number": "1", "title": "海盗罪", "parent": "x"},
        {"id": "x/2", "kind": "charge", "number": "决斗罪", "parent": "x"},
    ]
    (tmp_path / "law.json").write_text(json.dumps(law))
    collection = read(tmp_path)
    assert collection.documents[0].charges == ("海盗罪", "决斗罪")
    assert [node.number for node in collection.law.of_kind("charge")] == ["海盗罪", "决斗罪"]
