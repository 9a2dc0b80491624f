"""Fixtures: the prepared sample, computed once."""

from pathlib import Path

import pytest

from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import save_collection
from lexgear.pretraining.data.prepare import Sources, prepare
from lexgear.pretraining.data.prepared import Prepared
from pretraining.small import SETTINGS, part_of_the_sample

LAW = """第一编　总则
第一条　为了惩罚犯罪，保护人民，根据宪法，结合实际情况，制定本法。
第二编　分则
第二百六十四条　【盗窃罪】盗窃公私财物，数额较大的，处三年以下有期徒刑，并处罚金。
"""


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    directory = tmp_path_factory.mktemp("sources")
    save_collection(part_of_the_sample(), directory / "sample", SkippedRecords())
    (directory / "law.txt").write_text(LAW, encoding="utf-8")
    return Sources([directory / "sample"], [directory / "law.txt"])


@pytest.fixture(scope="session")
def prepared_at(sources: Sources, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("prepared") / "base.prepared"
    prepare(sources, SETTINGS, out)
    return out


@pytest.fixture
def prepared(prepared_at: Path) -> Prepared:
    return Prepared.load(prepared_at)
