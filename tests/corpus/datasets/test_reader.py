from pathlib import Path

import pytest

from lexgear.corpus.datasets.judgment_files import read_candidates
from lexgear.corpus.datasets.reader import (
    Record,
    Row,
    expect_shape,
    need_file,
    read_list,
    read_object,
    read_records,
)
from lexgear.corpus.label_checks import keep_known_labels
from lexgear.corpus.records import Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError
from lexgear.trec import Label, read_labels

FILE = Path("cases.jsonl")


def document(record: Record) -> Document:
    return Document(record.id, {"text": record.text("text")}, charges=record.charges("charges"))


def test_good_rows_come_through_in_order_and_numbers_are_ids_too() -> None:
    skipped = SkippedRecords()
    rows: list[tuple[int, Row]] = [(1, {"id": "b", "text": " 甲 "}), (2, {"id": 7, "text": "乙"})]
    assert [(made.id, made.text) for made in read_records(FILE, rows, document, skipped)] == [("b", "甲"), ("7", "乙")]
    assert not skipped.entries


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"text": "甲"}, "no id"),
        ({"id": None, "text": "甲"}, "no id"),
        ({"id": True, "text": "甲"}, "no id"),
        ({"id": "", "text": "甲"}, "id is empty or contains spaces"),
        ({"id": "a b", "text": "甲"}, "id is empty or contains spaces"),
        ({"id": "a\ud800", "text": "甲"}, "id contains a NUL character or a lone surrogate"),
        ({"id": "a\0b", "text": "甲"}, "id contains a NUL character or a lone surrogate"),
        ({"id": "1", "text": "甲"}, "duplicate id"),
        ({"id": "2"}, "no text"),
        ({"id": "2", "text": " \n"}, "empty text"),
        ({"id": "2", "text": 5}, "text is not a string"),
        ({"id": "2", "text": "甲", "charges": "盗窃罪"}, "charges is not a list of strings"),
    ],
)
def test_a_row_that_cannot_be_used_is_left_out_with_its_reason_or_refused(row: Row, reason: str) -> None:
    rows: list[tuple[int, Row]] = [(1, {"id": "1", "text": "甲"}), (2, row)]
    skipped = SkippedRecords()
    assert [made.id for made in read_records(FILE, rows, document, skipped)] == ["1"]
    assert [(skip.file, skip.line, skip.reason) for skip in skipped.entries] == [(FILE, 2, reason)]
    with pytest.raises(InputError, match=f"^cases.jsonl:2: .*{reason}"):
        read_records(FILE, rows, document, SkippedRecords(strict=True))


def test_an_unknown_charge_goes_and_its_record_stays() -> None:
    skipped = SkippedRecords()
    rows = [(4, {"id": "1", "text": "甲", "charges": ["盗窃", "贩卖毒品罪", "[窝藏、包庇]", "违章停车罪", "盗窃罪"]})]
    [made] = read_records(FILE, rows, document, skipped)
    assert made.charges == ("盗窃罪", "走私、贩卖、运输、制造毒品罪", "窝藏、包庇罪")
    assert [skip.reason for skip in skipped.entries] == ["unknown charge '违章停车罪'"]
    with pytest.raises(InputError, match=r"cases.jsonl:4: 1: unknown charge '违章停车罪'"):
        read_records(FILE, rows, document, SkippedRecords(strict=True))


def test_progress_hears_of_every_record_used_or_not() -> None:
    heard: list[int] = []
    rows = [(1, {"id": "1", "text": "甲"}), (2, {}), (3, {"id": "3", "text": "丙"})]
    read_records(FILE, rows, document, SkippedRecords(), progress=lambda done, total, note="": heard.append(done))
    assert heard == [1, 2, 3]


def test_a_json_file_of_the_wrong_shape_is_named(tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text("[1]")
    with pytest.raises(InputError, match=r"labels.json: not a JSON object"):
        read_object(file)
    file.write_text("{}")
    with pytest.raises(InputError, match=r"labels.json: not a JSON list"):
        read_list(file)
    with pytest.raises(InputError, match=r"labels.json: .*it should contain pairs"), expect_shape(file, "pairs"):
        int("pairs")


def test_a_missing_file_is_reported_with_the_paths_tried(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no a.json or b/a.json in it .name the root"):
        need_file(tmp_path, "a.json", "b/a.json", remedy="name the root")


QUERIES = [Query("q1", ""), Query("q2", "")]
DOCUMENTS = [Document("d1"), Document("d2")]


def test_labels_need_a_known_query_and_a_known_document(tmp_path: Path) -> None:
    file = tmp_path / "qrels.trec"
    file.write_text("q1 0 d1 3\n\nq1 0 d9 2\nq9 0 d1 1\nq1 0 d1 0\nq2\t0\td2\t-1\n")
    skipped = SkippedRecords()
    assert keep_known_labels(file, read_labels(file), QUERIES, DOCUMENTS, skipped) == {
        "q1": {"d1": 3},
        "q2": {"d2": -1},
    }
    assert [(skip.line, skip.record, skip.reason) for skip in skipped.entries] == [
        (3, "q1 d9", "label of an unknown document"),
        (4, "q9 d1", "label of an unknown query"),
        (5, "q1 d1", "second label of the same document"),
    ]
    with pytest.raises(InputError, match=r"qrels.trec:3: q1 d9: label of an unknown document"):
        keep_known_labels(file, read_labels(file), QUERIES, DOCUMENTS, SkippedRecords(strict=True))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("q1 d1 3", "3 columns instead of 4"),
        ("q1 0 d1 high", "'high' is not a whole number"),
        ("q1 0 d1 1.5", "'1.5' is not a whole number"),
        ("q1 0 d1 99999999", "'99999999' is not a whole number"),
    ],
)
def test_a_line_that_is_no_label_is_an_error(tmp_path: Path, line: str, problem: str) -> None:
    file = tmp_path / "qrels.trec"
    file.write_text(f"q1 0 d1 3\n{line}\n")
    with pytest.raises(InputError, match=f"qrels.trec:2: .*{problem}"):
        list(read_labels(file))


def test_an_empty_label_file_holds_no_labels(tmp_path: Path) -> None:
    file = tmp_path / "qrels.trec"
    file.write_text("")
    assert list(read_labels(file)) == []
    assert Label("q", "d", 1).line is None


def test_a_candidate_that_is_no_object_is_named(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "7.json").write_text("[]")
    with pytest.raises(InputError, match=r"7.json: not a JSON object"):
        list(read_candidates(tmp_path))
    (tmp_path / "1" / "7.json").write_text("{")
    with pytest.raises(InputError, match=r"7.json:1: not valid JSON"):
        list(read_candidates(tmp_path))


def test_a_corrupt_zip_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "candidates1.zip").write_bytes(b"PK\x03\x04 cut off")
    with pytest.raises(InputError, match=r"candidates1.zip: truncated or corrupt zip file"):
        list(read_candidates(tmp_path))
