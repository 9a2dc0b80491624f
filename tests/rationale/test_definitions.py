"""Sources of B2 and B3."""

import pytest

from lexgear.errors import InputError
from lexgear.law.shipped import chinese_criminal_law
from lexgear.law.tree import LawTree, TreeBuilder
from lexgear.rationale.definitions import charge_definitions, charge_lexicon
from lexgear.rationale.extract import Extractor

LAW = chinese_criminal_law()


def small_law(**texts: str) -> LawTree:
    builder = TreeBuilder()
    code = builder.add(None, "law", "code")
    for name, text in texts.items():
        builder.add(code, "charge", name, name, text)
    return builder.tree()


def test_every_charge_of_the_shipped_law_has_words_in_b2_and_a_text_for_b3() -> None:
    rows = charge_lexicon(LAW, "zh").rows
    assert len(rows) == 486
    assert all(len(row.b2) >= 5 and row.definition for row in rows)


def test_the_charge_book_also_gives_its_expressions_to_b2() -> None:
    [row] = charge_lexicon(small_law(盗窃罪=""), "zh").rows
    assert {"扒窃", "撬门"} <= set(row.b2)
    assert "扒窃 " not in row.definition


def test_a_charge_that_the_book_lacks_is_defined_by_its_law() -> None:
    assert charge_definitions(small_law(某地方罪="本地的定义")) == {"某地方罪": "本地的定义"}


def test_the_law_alone_is_read_as_the_paper_does() -> None:
    law = small_law(盗窃罪="窃取公私财物", 抢劫罪="")
    assert charge_definitions(law, "law") == {"盗窃罪": "窃取公私财物", "抢劫罪": ""}
    theft = charge_lexicon(law, "zh", "law").rows[0].b2
    assert {"窃取", "公私", "财物"} <= set(theft)
    assert "扒窃" not in theft


def test_a_law_without_texts_is_refused_if_it_is_the_only_source() -> None:
    with pytest.raises(InputError, match="B2"):
        charge_lexicon(LAW, "zh", "law")


def test_accepted_descriptions_are_added_to_the_book() -> None:
    [row] = charge_lexicon(small_law(盗窃罪=""), "zh", descriptions={"盗窃罪": "撬锁 溜门"}).rows
    assert {"溜门", "扒窃"} <= set(row.b2)


def test_f_r_selects_the_sentence_that_tells_the_deed_and_says_which_charge_it_supports() -> None:
    text = "被告人到案后认罪认罚。某日凌晨，被告人翻窗入户，窃得床头的手机和现金。当晚天气晴朗，月色很好。"
    [best, *_] = sorted(Extractor(charge_lexicon(LAW, "zh")).query(text).sentences, key=lambda part: -part.score)
    assert best.text.startswith("某日凌晨")
    assert best.charge == "盗窃罪"
