import json

import pytest

from lexgear.files import read_text
from lexgear.law.charges import ChargeNames, charge_data, full_choice, shipped_charges, spell
from lexgear.law.shipped import chinese_criminal_law
from lexgear.law.statutes import read_statute
from shared_data import SHARED, needs_shared
from tools.ship_law import structure


def names(text: str, *, bare: bool = False) -> list[str]:
    return [mention.name for mention in shipped_charges().find(text, bare=bare)]


@pytest.mark.parametrize(
    ("written", "official"),
    [
        ("贩卖毒品罪", "走私、贩卖、运输、制造毒品罪"),
        ("运输、贩卖毒品罪", "走私、贩卖、运输、制造毒品罪"),
        ("走私，贩卖，运输，制造毒品罪", "走私、贩卖、运输、制造毒品罪"),
        ("[走私、贩卖、运输、制造]毒品", "走私、贩卖、运输、制造毒品罪"),
        ("非法买卖枪支罪", "非法制造、买卖、运输、邮寄、储存枪支、弹药、爆炸物罪"),
        ("掩饰、隐瞒犯罪所得罪", "掩饰、隐瞒犯罪所得、犯罪所得收益罪"),
        ("故意伤害", "故意伤害罪"),
        ("奸淫幼女罪", "强奸罪"),
        ("偷税罪", "逃税罪"),
        ("偷越国(边)境罪", "偷越国（边）境罪"),
        ("生产、销售、提供假药罪", "生产、销售假药罪"),
    ],
)
def test_every_way_to_write_a_charge_leads_to_its_official_name(written: str, official: str) -> None:
    assert shipped_charges().official(written) == official


def test_the_longest_name_is_found_first() -> None:
    assert names("犯单位行贿罪、非国家工作人员受贿罪") == ["单位行贿罪", "非国家工作人员受贿罪"]
    assert names("犯走私、贩卖毒品罪") == ["走私、贩卖、运输、制造毒品罪"]


def test_a_mention_has_offsets() -> None:
    text = "被告人犯（盗窃罪）。"
    [mention] = shipped_charges().find(text)
    assert text[mention.start : mention.end] == "盗窃罪"


def test_names_without_their_last_sign_are_found_only_when_asked_for() -> None:
    assert names("张某盗窃一案") == []
    assert names("张某盗窃一案", bare=True) == ["盗窃罪"]


def test_an_unknown_charge_has_no_official_name() -> None:
    assert shipped_charges().official("走私") is None
    assert shipped_charges().official("") is None


def test_choices_spell_every_selection() -> None:
    assert set(spell("{甲|乙|丙}丁罪")) >= {"甲丁罪", "甲、丙丁罪", "丙、甲丁罪", "甲、乙、丙丁罪"}
    assert full_choice("{甲|乙}丙{丁|戊}罪") == "甲、乙丙丁、戊罪"


def test_all_choices_and_aliases_belong_to_charges_of_the_law() -> None:
    data, official = charge_data(), set(shipped_charges().names)
    assert {full_choice(pattern) for pattern in data["choices"]} <= official
    assert data["aliases"].keys() <= official
    assert data["placed"].keys() <= official


def test_no_official_name_is_taken_for_another() -> None:
    book = shipped_charges()
    assert [name for name in book.names if book.official(name) != name] == []


def test_a_book_of_ones_own_can_be_made() -> None:
    book = ChargeNames(["theft"], {"theft": ["{petty|grand} larceny"]})
    assert (
        book.official("grand larceny") is None
    )  # spaces are dropped from the name asked for, not from the names of the book
    assert [mention.name for mention in book.find("a case of petty larceny")] == ["theft"]


def test_the_shipped_law_names_places_but_holds_no_text() -> None:
    law = chinese_criminal_law()
    assert not any(node.text for node in law)
    assert "cn-criminal/2/5/263/抢劫罪" in law
    assert "cn-criminal/2/6/7/347/走私、贩卖、运输、制造毒品罪" in law
    assert (len(law.of_kind("chapter")), len(law.of_kind("section"))) == (10, 17)


@needs_shared
@pytest.mark.parametrize(
    ("file", "count"),
    [("law-zh/crimes.json", 469), ("lecardv2/total_crimes.json", 100), ("elam/total_crimes.json", 97)],
)
def test_every_charge_of_the_data_sets_is_placed_at_an_article(file: str, count: int) -> None:
    wanted = json.loads((SHARED / file).read_text(encoding="utf-8"))
    law = chinese_criminal_law()
    places = {node.number: law[str(node.parent)].kind for node in law.of_kind("charge")}
    assert len(wanted) == count
    assert {name: places.get(str(shipped_charges().official(name))) for name in wanted} == dict.fromkeys(
        wanted, "article"
    )


@needs_shared
def test_the_shipped_law_is_what_its_tool_makes() -> None:
    statute = read_statute(
        read_text(SHARED / "law-zh/criminal_law.txt"), code="cn-criminal", title="中华人民共和国刑法"
    )
    crimes = json.loads((SHARED / "law-zh/crimes.json").read_text(encoding="utf-8"))
    assert structure(statute, crimes) == chinese_criminal_law()
