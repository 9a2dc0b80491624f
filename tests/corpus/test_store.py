import json
import lzma
from pathlib import Path

import pytest

from lexgear.corpus.json_rows import document_from_row, document_row
from lexgear.corpus.query_files import query_from_line, read_queries
from lexgear.corpus.records import Citation, Collection, Count, Defendant, Document, Penalty, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import load_collection, save_collection
from lexgear.errors import InputError
from lexgear.law.shipped import chinese_criminal_law

FULL = Document(
    "7",
    {"fact": "事实", "verdict": "判决\n如下"},
    title="某某盗窃案",
    charges=("盗窃罪", "诈骗罪"),
    articles=(Citation("刑法", "264"), Citation("刑法", "133-1")),
    defendants=(
        Defendant("甲", ("盗窃罪",), Penalty("imprisonment", months=12, probation_months=24, fine=0)),
        Defendant("乙"),
        Defendant(
            "丙",
            ("盗窃罪", "诈骗罪"),
            Penalty("imprisonment", months=12),
            (Count("盗窃罪", Penalty("detention", months=3)), Count("诈骗罪")),
        ),
    ),
    penalty=Penalty("imprisonment", months=12),
    court="某县人民法院",
    level="basic",
    region="江西",
    date="2018-05-01",
    number="（2018）赣0199刑初8071号",
)
COLLECTION = Collection(
    name="three",
    language="zh",
    documents=(FULL, Document("8", {"text": "一条"}, node="cn-criminal/2"), Document("9")),
    queries=(Query("q1", "事实", ("盗窃罪",), "test", ("9",)), Query("q2", "")),
    qrels={"q1": {"7": 3, "8": 0}},
    pools={"q1": ("7", "8")},
    law=chinese_criminal_law(),
    relevant_from=2,
    source={"licence": "MIT"},
)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    skipped = SkippedRecords()
    skipped.add(Path("cases.jsonl"), 12, "x", "empty text")
    save_collection(COLLECTION, tmp_path / "three", skipped)
    return tmp_path / "three"


def test_a_collection_comes_back_as_it_went(saved: Path) -> None:
    assert load_collection(saved) == COLLECTION


def test_what_was_left_out_and_what_to_exclude_lie_beside_it(saved: Path) -> None:
    assert json.loads((saved / "exclude.json").read_text()) == {"q1": ["9"]}
    assert json.loads((saved / "pools.json").read_text()) == {"q1": ["7", "8"]}
    assert json.loads((saved / "skipped.jsonl").read_text()) == {
        "file": "cases.jsonl",
        "line": 12,
        "record": "x",
        "reason": "empty text",
    }
    description = json.loads((saved / "collection.json").read_text())
    assert description["counts"] == {"documents": 3, "queries": 2, "labels": 2, "law nodes": len(COLLECTION.law)}
    assert description["skipped"] == {"empty text": 1}


def test_optional_files_are_absent_where_there_is_nothing_to_say(tmp_path: Path) -> None:
    save_collection(Collection("bare", "fr", (Document("1"),)), tmp_path / "bare", SkippedRecords())
    assert sorted(file.name for file in (tmp_path / "bare").iterdir()) == [
        "collection.json",
        "documents.jsonl",
        "law.json",
        "qrels.trec",
        "queries.jsonl",
    ]
    assert load_collection(tmp_path / "bare") == Collection("bare", "fr", (Document("1"),))


def test_a_document_row_is_plain_json_without_empty_fields() -> None:
    assert document_row(Document("8", {"text": "一条"}, node="n")) == {
        "id": "8",
        "text": "一条",
        "node": "n",
        "charges": [],
    }
    row = json.loads(json.dumps(document_row(FULL)))
    assert row["sections"] == {"fact": "事实", "verdict": "判决\n如下"}
    assert row["articles"][1] == {"law": "刑法", "number": "133-1"}
    assert row["defendants"][1] == {"name": "乙"}
    assert row["defendants"][2]["counts"] == [
        {"charge": "盗窃罪", "penalty": {"kind": "detention", "months": 3}},
        {"charge": "诈骗罪"},
    ]
    assert row["penalty"] == {"kind": "imprisonment", "months": 12}
    assert document_from_row(row) == FULL


def test_a_text_that_utf8_cannot_hold_survives(tmp_path: Path) -> None:
    odd = Collection("odd", "zh", (Document("1", {"text": "\ud800\u2028\x00甲"}),))
    save_collection(odd, tmp_path / "odd", SkippedRecords())
    assert load_collection(tmp_path / "odd") == odd


def append(file: Path, line: str) -> None:
    file.write_text(file.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "line", "problem"),
    [
        ("documents.jsonl", '{"id": "7", "text": "甲"}', "documents.jsonl:4: the id '7' is already used on line 1"),
        ("documents.jsonl", '{"text": "甲"}', "documents.jsonl:4: no id"),
        ("documents.jsonl", '{"id": "z", "sections": []}', "documents.jsonl:4: sections is not an object"),
        ("documents.jsonl", '{"id": "z", "penalty": "life"}', "documents.jsonl:4: penalty is not an object"),
        (
            "documents.jsonl",
            '{"id": "z", "defendants": [{"name": "甲", "counts": ["盗窃罪"]}]}',
            "documents.jsonl:4: counts is not a list of objects",
        ),
        (
            "documents.jsonl",
            '{"id": "z", "penalty": {"kind": "fine", "months": -3}}',
            ":4: months of the penalty is not",
        ),
        ("documents.jsonl", '{"id": "z", "penalty": {"kind": "fine", "months": true}}', ":4: months of the penalty is"),
        ("documents.jsonl", f'{{"id": "z", "penalty": {{"kind": "fine", "months": {2**63}}}}}', ":4: months of the pe"),
        ("documents.jsonl", '{"id": "z", "articles": ["264"]}', "documents.jsonl:4: articles is not a list of obj"),
        ("documents.jsonl", "nonsense", "documents.jsonl:4: not valid JSON"),
        ("documents.jsonl", '{"id": "z", "text": "甲"}', "4 documents, but collection.json says 3"),
        ("queries.jsonl", '{"id": "q1", "text": ""}', "queries.jsonl:3: the id 'q1' is already used on line 1"),
        ("queries.jsonl", '{"id": "q3"}', "queries.jsonl:3: no text"),
        ("qrels.trec", "q1 0 unheard 1", "qrels.trec:3: q1 unheard: label of an unknown document"),
        ("law.json", "]", "law.json:.*not valid JSON"),
        ("pools.json", "]", "pools.json:.*not valid JSON"),
    ],
)
def test_damage_is_reported_with_file_and_line(saved: Path, file: str, line: str, problem: str) -> None:
    append(saved / file, line)
    with pytest.raises(InputError, match=problem):
        load_collection(saved)


@pytest.mark.parametrize("file", ["documents.jsonl", "queries.jsonl", "qrels.trec", "law.json", "collection.json"])
def test_a_missing_file_is_named(saved: Path, file: str) -> None:
    (saved / file).unlink()
    with pytest.raises(InputError, match=f"{file}: no such file"):
        load_collection(saved)


@pytest.mark.parametrize(
    ("description", "problem"),
    [
        ("{}", "unsupported format None; this version reads format 1"),
        ('{"format": 1}', "not a valid description of a collection"),
        ("[]", "not a JSON object"),
    ],
)
def test_a_wrong_description_is_refused(saved: Path, description: str, problem: str) -> None:
    (saved / "collection.json").write_text(description)
    with pytest.raises(InputError, match=f"collection.json: {problem}"):
        load_collection(saved)


def test_a_missing_collection_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere: no such collection directory"):
        load_collection(tmp_path / "nowhere")


def test_saving_replaces_an_older_collection(saved: Path) -> None:
    save_collection(Collection("new", "zh", (Document("1"),)), saved, SkippedRecords())
    assert load_collection(saved).name == "new"
    assert not (saved / "skipped.jsonl").exists()


def test_a_query_file_needs_ids_and_texts_and_carries_labels_where_it_has_them(tmp_path: Path) -> None:
    file = tmp_path / "queries.jsonl.xz"
    rows = '{"id": 5, "text": "。", "extra": 1}\n{"id": "b", "text": "", "charges": ["盗窃罪"], "own": ["9"]}\n'
    file.write_bytes(lzma.compress(rows.encode()))
    assert read_queries(file) == (Query("5", "。"), Query("b", "", ("盗窃罪",), own_documents=("9",)))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"text": "甲"}, "no id"),
        ({"id": "a"}, "no text"),
        ({"id": "a", "text": ["甲"]}, "text is not a string"),
        ({"id": "a", "text": "甲", "charges": "盗窃罪"}, "charges is not a list"),
    ],
)
def test_a_query_row_that_cannot_be_used_is_an_error_with_its_line(row: dict[str, object], problem: str) -> None:
    with pytest.raises(InputError, match=f"asked.jsonl:3: {problem}"):
        query_from_line(row, Path("asked.jsonl"), 3)


def test_a_collection_never_replaces_what_is_no_collection(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "collection.json").write_text('{"title": "stamps"}')
    with pytest.raises(InputError, match=r"not written by lexgear \(no collection\.json in it\)"):
        save_collection(COLLECTION, tmp_path, SkippedRecords())
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_an_inconsistent_law_is_reported_with_its_file(saved: Path) -> None:
    (saved / "law.json").write_text('[{"id": "code", "kind": "law", "parent": {}}]')
    with pytest.raises(
        InputError, match=r"law\.json: the parent of the law node 'code' is not a string .*after its parent"
    ):
        load_collection(saved)


@pytest.mark.parametrize(
    "repeated",
    [
        Collection("c", "zh", (Document("1"), Document("1"))),
        Collection("c", "zh", (Document("1"),), (Query("1", ""), Query("1", ""))),
    ],
)
def test_a_collection_with_a_repeated_id_is_not_written(repeated: Collection, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the id '1' appears 2 times among the"):
        save_collection(repeated, tmp_path / "c", SkippedRecords())
    assert not (tmp_path / "c").exists()


def test_parts_beside_a_text_are_kept_and_beside_sections_refused() -> None:
    assert document_from_row({"id": "a", "text": "全文", "fact": "事实"}).sections == {"text": "全文", "fact": "事实"}
    with pytest.raises(InputError, match="both fact and sections are given"):
        document_from_row({"id": "a", "sections": {"text": "全文"}, "fact": "事实"})
