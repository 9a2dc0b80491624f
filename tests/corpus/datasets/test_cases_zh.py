from collections import Counter
from pathlib import Path

import pytest

from fingerprints import first_tenth_last
from lexgear.corpus.datasets.cases_zh import SOURCES, read_cases_zh
from lexgear.corpus.records import Defendant
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError
from lexgear.files import write_jsonl
from lexgear.progress import silent
from shared_data import SHARED, needs_shared


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    first = {"id": "a", "source": SOURCES["legalattack"], "fact": "王某伪造印章。", "charges": ["伪造公司印章罪"]}
    people = [{"name": "李某", "charge": "盗窃罪"}, {"name": "张某", "charge": "诈骗罪"}]
    several = {"id": "b", "source": SOURCES["mcp"], "fact": "二人分工。", "charges": ["盗窃罪", "诈骗罪"]}
    unknown = {"id": "c", "source": SOURCES["legalattack"], "fact": "王某喝茶。", "charges": ["喝茶罪"]}
    write_jsonl(tmp_path / "cases.jsonl", [first, several | {"defendants": people}, unknown])
    return tmp_path


def test_by_default_only_the_source_whose_weights_may_be_distributed_is_read(directory: Path) -> None:
    skipped = SkippedRecords()
    collection = read_cases_zh(directory, skipped, silent)
    assert [(document.id, document.sections) for document in collection.documents] == [
        ("a", {"fact": "王某伪造印章。"})
    ]
    assert collection.source["licence"] == "legalattack: MIT"
    assert [skip.reason for skip in skipped.entries] == ["unknown charge '喝茶罪'", "no charges"]


def test_defendants_have_their_own_charges(directory: Path) -> None:
    [case] = read_cases_zh(directory, SkippedRecords(), silent, sources=["mcp"]).documents
    assert case.charges == ("盗窃罪", "诈骗罪")
    assert case.defendants == (Defendant("李某", ("盗窃罪",)), Defendant("张某", ("诈骗罪",)))


def test_an_unknown_source_is_answered_with_the_known_ones(directory: Path) -> None:
    with pytest.raises(InputError, match=r"no source 'cail' .choose among legalattack, mcp, cail2022"):
        read_cases_zh(directory, SkippedRecords(), silent, sources=["cail"])


@needs_shared
def test_the_packed_file_holds_589_cases_of_legalattack_and_3748_in_all() -> None:
    skipped = SkippedRecords()
    default = read_cases_zh(SHARED / "cases-zh", skipped, silent)
    assert len(default.documents) == 589
    assert first_tenth_last(default.documents) == [
        ("legalattack-信用卡诈骗-0", 255, "920d6ee9"),
        ("legalattack-故意杀人-0", 444, "39436b50"),
        ("legalattack-强迫他人吸毒-4", 269, "0d552182"),
    ]
    assert len({charge for document in default.documents for charge in document.charges}) == 154
    every = read_cases_zh(SHARED / "cases-zh", skipped, silent, sources=list(SOURCES))
    assert Counter(document.id.split("-")[0] for document in every.documents) == {
        "legalattack": 589,
        "mcp": 2844,
        "cail2022": 315,
    }
    assert list(skipped.counts()) == []
