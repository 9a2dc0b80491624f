import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from fingerprints import first_tenth_last
from lexgear.corpus.datasets.closed_pool import closed_pool, pool_rule
from lexgear.corpus.datasets.lecard import read_lecard
from lexgear.corpus.records import Collection
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError
from lexgear.progress import silent
from shared_data import SHARED, needs_shared


def judgment(case: str, **changed: str) -> dict[str, str]:
    fields = {
        "ajId": case,
        "ajName": "张某盗窃一案",
        "ajjbqk": " 张某翻墙进入商店，拿走现金三百元。",
        "cpfxgc": "本院认为，被告人张某的行为构成盗窃罪。",
        "pjjg": " 被告人张某犯盗窃罪，判处拘役三个月，并处罚金一千元。",
        "qw": "某省某县人民法院 刑事判决书 （2018）赣0199刑初8071号",
        "writName": "张某盗窃一审刑事判决书",
    }
    return fields | changed


@pytest.fixture
def official(tmp_path: Path) -> Path:
    """Two queries with two candidates each, one of them shared, in the layout of the repository."""
    data = tmp_path / "data"
    for folder in ("query", "label", "candidates/part1/1325", "candidates/part2/-7"):
        (data / folder).mkdir(parents=True)
    queries = [
        {"path": "case-a/x.json", "ridx": 1325, "q": "张某翻墙进入商店。", "crime": ["盗窃罪"]},
        {"path": "elsewhere/y.json", "ridx": -7, "q": "李某骗走手机。", "crime": []},
    ]
    (data / "query/query.json").write_text("\n".join(map(json.dumps, queries)))
    labels = {"1325": {"11": 3, "12": 0, "404": 2}, "-7": {"12": 1}, "9999": {"11": 1}}
    (data / "label/label_top30_dict.json").write_text(json.dumps(labels))
    for place, case in [("part1/1325/11", "case-a"), ("part1/1325/12", "case-b"), ("part2/-7/12", "case-b")]:
        (data / f"candidates/{place}.json").write_text(json.dumps(judgment(case)))
    empty = {"ajjbqk": "", "cpfxgc": " ", "pjjg": ""}
    (data / "candidates/part2/-7/13.json").write_text(json.dumps(judgment("case-c", **empty)))
    return tmp_path


def test_the_official_layout_is_read_from_the_root_or_from_data(official: Path) -> None:
    skipped = SkippedRecords()
    collection = read_lecard(official, skipped, silent)
    assert read_lecard(official / "data", SkippedRecords(), silent) == collection
    assert [document.id for document in collection.documents] == ["11", "12"]
    assert collection.qrels == {"1325": {"11": 3, "12": 0}, "-7": {"12": 1}}
    assert collection.pools == {"1325": ("11", "12"), "-7": ("12",)}
    assert [(query.id, query.charges) for query in collection.queries] == [("1325", ("盗窃罪",)), ("-7", ())]
    assert sorted((skip.record, skip.reason) for skip in skipped.entries) == [
        ("13", "no text"),
        ("1325 404", "label of an unknown document"),
        ("9999 11", "label of an unknown query"),
    ]


def test_sections_title_and_what_the_judgment_says_become_the_document(official: Path) -> None:
    [document, _] = read_lecard(official, SkippedRecords(), silent).documents
    assert list(document.sections) == ["fact", "reasoning", "verdict"]
    assert document.sections["fact"] == "张某翻墙进入商店，拿走现金三百元。"
    assert document.title == "张某盗窃一审刑事判决书"
    assert document.charges == ("盗窃罪",)
    assert document.number == "（2018）赣0199刑初8071号"


def test_the_judgment_a_query_was_drawn_from_is_its_own(official: Path) -> None:
    assert [query.own_documents for query in read_lecard(official, SkippedRecords(), silent).queries] == [("11",), ()]


def test_zipped_candidates_read_like_unzipped_ones(official: Path) -> None:
    unzipped = read_lecard(official, SkippedRecords(), silent)
    folder = official / "data/candidates"
    for number in (1, 2):
        with zipfile.ZipFile(folder / f"candidates{number}.zip", "w") as archive:
            for file in sorted((folder / f"part{number}").rglob("*.json")):
                archive.write(file, file.relative_to(folder))
                file.unlink()
    zipped = read_lecard(official, SkippedRecords(), silent)
    assert zipped.pools == unzipped.pools
    assert {d.id: d for d in zipped.documents} == {d.id: d for d in unzipped.documents}


def test_missing_candidates_are_reported_with_a_remedy(official: Path) -> None:
    for file in (official / "data/candidates").rglob("*.json"):
        file.unlink()
    with pytest.raises(InputError, match=r"candidates: no candidates in it .put candidates1.zip"):
        read_lecard(official, SkippedRecords(), silent)


def test_a_directory_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no query/query.json or query.json in it"):
        read_lecard(tmp_path, SkippedRecords(), silent)


def test_a_label_file_of_another_structure_is_refused(official: Path) -> None:
    (official / "data/label/label_top30_dict.json").write_text('{"1325": ["11"]}')
    with pytest.raises(InputError, match=r"label_top30_dict.json: unexpected structure"):
        read_lecard(official, SkippedRecords(), silent)


@pytest.fixture(scope="module")
def packed() -> Collection:
    return read_lecard(SHARED / "lecard", SkippedRecords(strict=True), silent)


@needs_shared
def test_the_packed_files_hold_9088_documents_and_80_queries(packed: Collection) -> None:
    assert len(packed.documents) == 9088
    assert first_tenth_last(packed.documents) == [
        ("8", 1031, "e2400b94"),
        ("54", 522, "cf0c3b02"),
        ("50018", 1182, "108667db"),
    ]
    assert len(packed.queries) == 80
    assert first_tenth_last(packed.queries) == [
        ("5156", 342, "4da31745"),
        ("2373", 308, "b27b247d"),
        ("29", 295, "d0734f06"),
    ]


@needs_shared
def test_the_packed_labels_pools_and_own_judgments_are_complete(packed: Collection) -> None:
    known = {document.id for document in packed.documents}
    assert sum(map(len, packed.qrels.values())) == 2410
    assert {grade for grades in packed.qrels.values() for grade in grades.values()} == {0, 1, 2, 3}
    assert Counter(len(pool) for pool in packed.pools.values()) == {100: 76, 102: 2, 103: 2}
    assert known.issuperset(document for pool in packed.pools.values() for document in pool)
    own = {query.id: query.own_documents for query in packed.queries if query.own_documents}
    assert len(own) == 19
    assert own["-5180"] == ("1208", "43039")
    assert len(packed.source["never_train_on"].split()) == 26


@needs_shared
def test_nearly_every_packed_judgment_gets_its_charges(packed: Collection) -> None:
    assert sum(not document.charges for document in packed.documents) < 50
    assert sum(not query.charges for query in packed.queries) == 1


@needs_shared
def test_the_closed_pool_has_1397_judgments_for_80_queries(packed: Collection) -> None:
    pool = closed_pool(packed, pool_rule("lecard"))
    assert (pool.name, len(pool.documents), len(pool.queries), pool.relevant_from) == ("lecard-closed", 1397, 80, 2)
    own = {document for query in packed.queries for document in query.own_documents}
    assert {one for query in pool.queries for one in query.own_documents} <= own & {one.id for one in pool.documents}
