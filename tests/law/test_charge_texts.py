"""Definitions from the text of a statute."""

from pathlib import Path

import pytest

from lexgear.errors import InputError
from lexgear.law.charge_texts import with_charge_texts
from lexgear.law.shipped import chinese_criminal_law
from shared_data import SHARED, needs_shared

LAW = chinese_criminal_law()
STATUTE = """第二编　分则
第五章　侵犯财产罪
第二百六十四条　【盗窃罪】拿走他人财物的，处罚。
第三百四十七条　【贩卖毒品罪】卖毒品的，处罚。
"""


def texts(statute: Path) -> dict[str, str]:
    return {node.number: node.text for node in with_charge_texts(LAW, statute).of_kind("charge") if node.text}


def test_a_charge_is_defined_by_the_paragraph_whose_caption_names_it(tmp_path: Path) -> None:
    (tmp_path / "law.txt").write_text(STATUTE, "utf-8")
    found = texts(tmp_path / "law.txt")
    assert found == {"盗窃罪": "拿走他人财物的，处罚。", "走私、贩卖、运输、制造毒品罪": "卖毒品的，处罚。"}


def test_a_charge_with_a_former_name_is_defined_by_its_article(tmp_path: Path) -> None:
    (tmp_path / "law.txt").write_text(STATUTE + "第二百九十九条　【侮辱国旗罪】侮辱国旗的，处罚。\n", "utf-8")
    assert texts(tmp_path / "law.txt")["侮辱国歌罪"] == "侮辱国旗的，处罚。"


def test_a_text_without_captions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "law.txt").write_text(STATUTE.replace("【", "(").replace("】", ")"), "utf-8")
    with pytest.raises(InputError, match="caption"):
        with_charge_texts(LAW, tmp_path / "law.txt")


@needs_shared
def test_the_published_text_defines_all_charges_but_one() -> None:
    assert len(texts(SHARED / "law-zh" / "criminal_law.txt")) == 485
