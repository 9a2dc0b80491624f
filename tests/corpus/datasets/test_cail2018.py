import json
from pathlib import Path
from typing import Any

import pytest

from fingerprints import first_tenth_last
from lexgear.corpus.datasets.cail2018 import read_cail2018
from lexgear.corpus.records import Citation, Defendant, Penalty
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError
from lexgear.progress import silent
from shared_data import SHARED, needs_shared


def case(months: int = 0, *, fine: int = 0, life: bool = False, death: bool = False) -> dict[str, Any]:
    term = {"death_penalty": death, "imprisonment": months, "life_imprisonment": life}
    meta = {
        "relevant_articles": [264, 264, 67],
        "accusation": ["盗窃", "[窝藏、包庇]"],
        "punish_of_money": fine,
        "criminals": ["王某"],
        "term_of_imprisonment": term,
    }
    return {"fact": "王某翻墙。", "meta": meta}


def write(file: Path, *rows: object) -> Path:
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


def test_training_files_become_documents_and_test_files_queries(tmp_path: Path) -> None:
    write(tmp_path / "data_train.json", case(12, fine=1000), case(6))
    write(tmp_path / "data_test.json", case(3))
    collection = read_cail2018(tmp_path, SkippedRecords(strict=True), silent)
    charges, penalty = ("盗窃罪", "窝藏、包庇罪"), Penalty("imprisonment", months=12, fine=1000)
    first = collection.documents[0]
    assert [document.id for document in collection.documents] == ["data_train-1", "data_train-2"]
    assert first.sections == {"fact": "王某翻墙。"}
    assert (first.charges, first.penalty) == (charges, penalty)
    assert first.articles == (Citation("刑法", "264"), Citation("刑法", "67"))
    assert first.defendants == (Defendant("王某", charges, penalty),)
    [query] = collection.queries
    assert (query.id, query.split, query.charges) == ("data_test-1", "test", charges)


def test_one_file_alone_can_be_read(tmp_path: Path) -> None:
    file = write(tmp_path / "data_valid.json", case(12))
    assert [document.id for document in read_cail2018(file, SkippedRecords(), silent).documents] == ["data_valid-1"]


@pytest.mark.parametrize(
    ("row", "penalty"),
    [
        (case(death=True, fine=5), Penalty("death", fine=5)),
        (case(12, life=True), Penalty("life")),
        (case(fine=500), Penalty("fine", fine=500)),
        (case(), Penalty("exempt")),
    ],
)
def test_the_heaviest_penalty_counts(tmp_path: Path, row: object, penalty: Penalty) -> None:
    file = write(tmp_path / "data_train.json", row)
    assert read_cail2018(file, SkippedRecords(), silent).documents[0].penalty == penalty


def test_what_lacks_labels_or_facts_is_left_out(tmp_path: Path) -> None:
    file = write(tmp_path / "data_train.json", {"fact": "甲"}, {**case(1), "fact": " "}, case(1))
    skipped = SkippedRecords()
    assert [document.id for document in read_cail2018(file, skipped, silent).documents] == ["data_train-3"]
    assert [(skip.line, skip.reason) for skip in skipped.entries] == [(1, "no meta"), (2, "empty fact")]


def test_a_directory_without_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no JSON files in it"):
        read_cail2018(tmp_path, SkippedRecords(), silent)


@needs_shared
def test_the_packed_file_holds_7265_documents_and_800_queries() -> None:
    skipped = SkippedRecords()
    collection = read_cail2018(SHARED / "cail2018", skipped, silent)
    assert [len(collection.documents), len(collection.queries)] == [7265, 800]
    assert first_tenth_last(collection.documents) == [
        ("c0", 261, "ae9c0f13"),
        ("c12", 312, "ddd889d8"),
        ("c8064", 507, "fdff1ae4"),
    ]
    assert first_tenth_last(collection.queries) == [
        ("c2", 657, "a878c9e3"),
        ("c70", 181, "270fe22c"),
        ("c8063", 393, "bf17926f"),
    ]
    assert list(skipped.counts()) == [("unknown charge '走私'", 1)]
    assert all(query.charges for query in collection.queries)
    assert collection.documents[0].penalty == Penalty("imprisonment", months=12)


def test_a_case_in_two_files_is_skipped_in_the_second(tmp_path: Path) -> None:
    write(tmp_path / "data_rest.json", {"id": "c1", **case(12)})
    write(tmp_path / "data_test.json", {"id": "c1", **case(12)}, {"id": "c2", **case(12)})
    skipped = SkippedRecords()
    collection = read_cail2018(tmp_path, skipped, silent)
    assert [document.id for document in collection.documents] == ["c1"]
    assert [query.id for query in collection.queries] == ["c2"]
    assert [(skip.file.name, skip.line, skip.reason) for skip in skipped.entries] == [
        ("data_test.json", 1, "duplicate id")
    ]


@pytest.mark.parametrize("months", ["twelve", -3, True, 10**30])
def test_a_term_that_cannot_be_read_is_listed_and_the_case_stays(tmp_path: Path, months: Any) -> None:
    skipped = SkippedRecords()
    file = write(tmp_path / "data_train.json", case(months))
    assert [document.penalty for document in read_cail2018(file, skipped, silent).documents] == [None]
    assert [skip.reason for skip in skipped.entries] == ["unreadable penalty"]
