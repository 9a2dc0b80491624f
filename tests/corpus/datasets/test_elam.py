import json
from collections import Counter
from pathlib import Path

import pytest

from lexgear.corpus.datasets.elam import read_elam
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError
from lexgear.files import read_json
from lexgear.law.charges import shipped_charges
from lexgear.progress import silent
from shared_data import SHARED, needs_shared


def write(folder: Path, **files: object) -> Path:
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write(
        tmp_path,
        pid_charges={"a": ["盗窃罪"], "b": ["盗窃罪"], "t": ["抢劫罪"], "far": ["赌博罪"], "alone": ["赌博罪"]},
        atomicId_labels_dict={"a": ["b"], "b": ["a"], "t": ["a"]},
        atomicId_labels_2and1_dict={"a": ["b", "far"], "b": ["a"], "t": ["a", "b"], "far": ["a"]},
        test_set=["t"],
    )


def test_candidates_are_the_cases_of_level_2_less_the_test_queries(small: Path) -> None:
    collection = read_elam(small, SkippedRecords(strict=True), silent)
    assert [document.id for document in collection.documents] == ["a", "b"]
    assert [(query.id, query.split, query.own_documents) for query in collection.queries] == [
        ("a", "train", ("a",)),
        ("b", "train", ("b",)),
        ("t", "test", ()),
    ]
    assert collection.qrels == {"a": {"b": 2}, "b": {"a": 2}, "t": {"a": 2, "b": 1}}
    assert collection.source["labels outside the candidates"] == "2"
    assert collection.source["cases outside the candidates"] == "2"


def test_labels_of_another_structure_are_refused(small: Path) -> None:
    write(small, atomicId_labels_dict={"a": 5})
    with pytest.raises(InputError, match=r"atomicId_labels_dict.json: unexpected structure"):
        read_elam(small, SkippedRecords(), silent)


@needs_shared
def test_elam_has_1332_candidates_147_test_queries_and_97_charges() -> None:
    collection = read_elam(SHARED / "elam", SkippedRecords(strict=True), silent)
    assert len(collection.documents) == 1332
    assert [collection.documents[place].id for place in (0, 9, -1)] == [
        "7e3941b2-6ace-2c8b-37ac-ffb6e2e89b6a",
        "78acb535-af37-bbf7-923e-b3b10a5a26e9",
        "d504f555-4c8c-a231-8ba6-d106c429da30",
    ]
    assert Counter(query.split for query in collection.queries) == {"train": 1332, "test": 147}
    assert sorted(query.id for query in collection.queries if query.split == "test") == sorted(
        read_json(SHARED / "elam/test_set.json")
    )
    charges = [name for names in read_json(SHARED / "elam/pid_charges.json").values() for name in names]
    assert len({shipped_charges().official(name) for name in charges}) == 97
    assert len({charge for document in collection.documents for charge in document.charges}) == 26


@needs_shared
def test_every_test_query_of_elam_has_one_label_of_level_2_among_the_candidates() -> None:
    collection = read_elam(SHARED / "elam", SkippedRecords(strict=True), silent)
    test = [collection.qrels[query.id] for query in collection.queries if query.split == "test"]
    assert Counter(grade for grades in test for grade in grades.values()) == {2: 147, 1: 315 - 147}
    assert all(2 in grades.values() for grades in test)
    assert sum(map(len, collection.qrels.values())) == 6760 - 1395
