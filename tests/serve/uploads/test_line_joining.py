"""Printed pages made into running text, and radicals into the characters that were meant."""

import unicodedata

import pytest

from lexgear.serve.page.form import clean_text
from lexgear.serve.uploads.kangxi_radicals import _CHARACTERS, _RADICALS, replace_radicals
from lexgear.serve.uploads.line_joining import join_lines
from lexgear.serve.uploads.normalization import normalize


def test_chinese_lines_are_joined_without_a_space_and_others_with_one() -> None:
    assert join_lines(["起诉书\n被告人深夜翻墙进入一家商店，撬\n开收银柜拿走现金。\n次日被抓获。"]) == (
        "起诉书\n被告人深夜翻墙进入一家商店，撬开收银柜拿走现金。\n次日被抓获。"
    )
    assert join_lines(["Le bailleur doit remettre\nle bien loué au preneur\net l'entretenir.\n\nFin."]) == (
        "Le bailleur doit remettre le bien loué au preneur et l'entretenir.\n\nFin."
    )


def test_a_line_that_stands_out_does_not_keep_others_apart() -> None:
    prose = "被告人深夜翻墙进入一家商店，撬开收银柜\n拿走现金五千余元，次日在家中被公安机关\n抓获。\n完。"
    assert join_lines([f"校验{'0' * 90}\n{prose}"]).splitlines()[1:] == [
        "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元，次日在家中被公安机关抓获。",
        "完。",
    ]


@pytest.mark.parametrize(
    "number", ["1", "- 1 -", "— 12 —", "第 1 页", "第1页，共 7 页", "1/7", "Page 1 of 7", "page 3 sur 12"]
)
def test_the_number_of_a_page_is_no_part_of_its_text(number: str) -> None:
    line = "甲乙丙丁戊己庚辛壬癸"
    for page in (f"{line}\n{number}", f"{number}\n{line}", f"{line}\n\n{number}\n\n"):
        assert join_lines([page, "子丑"]) == f"{line}子丑"


def test_figures_that_are_the_text_stay() -> None:
    assert join_lines(["5000"]) == "5000"
    assert join_lines(["甲\n乙\n5000\n丙\n丁"]) == "甲\n乙\n5000\n丙\n丁"


def test_room_between_figures_and_characters_is_no_space() -> None:
    assert join_lines(["2020 年 2 月18  日，（2019）川 9851 号，共 3 人  （甲 乙）"]) == (
        "2020年2月18日，（2019）川9851号，共3人 （甲 乙）"
    )


def test_nothing_is_nothing() -> None:
    assert join_lines([]) == join_lines([""]) == join_lines(["\n\n"]).strip() == ""


def test_radicals_become_the_characters_they_look_like() -> None:
    assert replace_radicals("⼈⺠法院，⻓⻋⻚⼀⼆⾃⾸⽆") == "人民法院，长车页一二自首无"
    assert normalize("⼈⺠") == clean_text("⼈⺠") == "人民"
    assert len(_RADICALS) == len(_CHARACTERS) == len(set(_RADICALS))
    for radical, sign in zip(_RADICALS, _CHARACTERS, strict=True):
        assert unicodedata.name(radical).startswith("CJK RADICAL")
        assert unicodedata.name(sign).startswith("CJK UNIFIED IDEOGRAPH")
    plain = "".join(map(chr, range(0x4E00, 0x9FFF)))
    assert replace_radicals(plain) == plain
