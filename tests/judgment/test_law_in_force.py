"""Charges by the law of the date of the act, around amendments VIII, IX, XI and XII."""

import json
from datetime import date

import pytest
from typer.testing import CliRunner

from lexgear.api import judge
from lexgear.cli import app
from lexgear.corpus.extraction.act_dates import ActDate
from lexgear.errors import InputError
from lexgear.judgment.exclusion import exclude_contradictions
from lexgear.judgment.grades import APPLIES
from lexgear.judgment.law_in_force import RemarkCode, apply_law_in_force
from lexgear.judgment.notes import BEFORE_THE_CODE, LAW_CHANGED, NOT_IN_FORCE
from lexgear.judgment.records import PredictedCharge
from lexgear.law.shipped import chinese_criminal_law
from lexgear.law.tree import LawNode, TreeBuilder

LAW = chinese_criminal_law()
CHARGES = {node.number: node for node in LAW.of_kind("charge")}
DRUNK = "被告人王某酒后驾驶小轿车被交警查获，血液酒精含量180mg/100ml。"


def predicted(name: str, probability: float = 0.9) -> PredictedCharge:
    path = tuple(step.id for step in LAW.path(CHARGES[name]))
    return PredictedCharge(name, probability, probability, path, probability >= APPLIES)


def on(day: date, *charges: PredictedCharge) -> list[PredictedCharge]:
    return apply_law_in_force(charges, LAW, ActDate(day), APPLIES)


@pytest.mark.parametrize(
    ("name", "first", "act"),
    [
        ("危险驾驶罪", date(2011, 5, 1), "刑法修正案（八）"),
        ("拒不支付劳动报酬罪", date(2011, 5, 1), "刑法修正案（八）"),
        ("帮助信息网络犯罪活动罪", date(2015, 11, 1), "刑法修正案（九）"),
        ("组织考试作弊罪", date(2015, 11, 1), "刑法修正案（九）"),
        ("高空抛物罪", date(2021, 3, 1), "刑法修正案（十一）"),
        ("袭警罪", date(2021, 3, 1), "刑法修正案（十一）"),
        ("妨害安全驾驶罪", date(2021, 3, 1), "刑法修正案（十一）"),
    ],
)
def test_a_charge_applies_from_its_first_day(name: str, first: date, act: str) -> None:
    [before] = on(date.fromordinal(first.toordinal() - 1), predicted(name))
    [after] = on(first, predicted(name))
    assert (before.applies, after.applies) == (False, True)
    assert before.remark is not None and before.remark.code is RemarkCode.NOT_YET_IN_FORCE
    assert before.remark.to_row() == {
        "code": "not_yet_in_force",
        "text": f"since {first}, {act}",
        "parameters": {"date": str(first), "act": act},
    }


@pytest.mark.parametrize(
    ("name", "day", "changed"),
    [
        ("盗窃罪", date(2011, 4, 30), date(2011, 5, 1)),
        ("危险驾驶罪", date(2015, 10, 31), date(2015, 11, 1)),
        ("受贿罪", date(2015, 10, 31), date(2015, 11, 1)),
        ("洗钱罪", date(2021, 2, 28), date(2021, 3, 1)),
        ("非法经营同类营业罪", date(2024, 2, 29), date(2024, 3, 1)),
        ("行贿罪", date(2024, 2, 29), date(2024, 3, 1)),
    ],
)
def test_a_charge_whose_article_changed_since_applies_with_a_remark(name: str, day: date, changed: date) -> None:
    [before], [after] = on(day, predicted(name)), on(changed, predicted(name))
    assert before.applies and after.applies and after.remark is None
    assert before.remark is not None
    assert (before.remark.code, before.remark.day) == (RemarkCode.CHANGED_SINCE, changed)


def test_a_renamed_charge_has_both_names() -> None:
    [then] = on(date(2008, 6, 1), predicted("逃税罪"))
    [now] = on(date(2022, 6, 1), predicted("逃税罪"))
    assert (then.name, then.name_then, now.name_then) == ("逃税罪", "偷税罪", "")


def test_a_charge_that_lives_on_under_another_name_still_applies() -> None:
    [charge] = on(date(2022, 6, 1), predicted("非法猎捕、杀害珍贵、濒危野生动物罪"))
    assert charge.applies
    assert (charge.name_then, charge.remark) == ("危害珍贵、濒危野生动物罪", None)


def test_a_merged_charge_has_its_present_name_even_without_a_date() -> None:
    merged, kept = predicted("非法猎捕、杀害珍贵、濒危野生动物罪"), predicted("盗窃罪")
    assert merged.to_row()["name_now"] == "危害珍贵、濒危野生动物罪"
    assert "name_now" not in kept.to_row()


def test_an_old_crime_stays_a_crime_and_a_new_one_does_not() -> None:
    murder, drunk = on(date(1992, 3, 1), predicted("故意杀人罪"), predicted("危险驾驶罪"))
    assert murder.applies and not drunk.applies
    assert murder.remark is not None and murder.remark.code is RemarkCode.BEFORE_THE_CODE


def test_the_general_charge_covers_a_special_one_that_did_not_exist() -> None:
    charges = predicted("袭警罪", 0.8), predicted("妨害公务罪", 0.15)
    then = {charge.name: charge for charge in exclude_contradictions(on(date(2019, 5, 1), *charges), APPLIES)}
    assert (then["妨害公务罪"].probability, then["妨害公务罪"].applies) == (0.95, True)
    assert (then["袭警罪"].probability, then["袭警罪"].applies) == (0.8, False)
    now = {charge.name: charge for charge in exclude_contradictions(on(date(2022, 5, 1), *charges), APPLIES)}
    assert (now["妨害公务罪"].applies, now["袭警罪"].applies) == (False, True)


@pytest.mark.parametrize(
    ("day", "code"),
    [
        (date(2019, 12, 31), RemarkCode.NOT_YET_IN_FORCE),
        (date(2020, 1, 1), None),
        (date(2022, 1, 1), RemarkCode.NO_LONGER_IN_FORCE),
    ],
)
def test_dates_of_a_collection_s_own_law_count(day: date, code: RemarkCode | None) -> None:
    builder = TreeBuilder()
    builder.insert(LawNode("own", "law", "own", "Own code"))
    since, until = date(2020, 1, 1), date(2021, 12, 31)
    builder.insert(LawNode("own/1", "charge", "one", parent="own", in_force_from=since, in_force_until=until))
    own = PredictedCharge("one", 0.9, 0.9, ("own", "own/1"), True)
    [charge] = apply_law_in_force([own], builder.tree(), ActDate(day), APPLIES)
    assert charge.applies == (code is None)
    assert (charge.remark and charge.remark.code) == code


def test_a_charge_that_did_not_exist_is_listed_and_does_not_apply() -> None:
    judgment = judge(DRUNK, date="2011-04-30")
    assert judgment.note == NOT_IN_FORCE
    assert (judgment.charges[0].name, judgment.charges[0].applies, judgment.articles) == ("危险驾驶罪", False, ())


def test_a_date_in_the_facts_counts_as_a_given_one() -> None:
    judgment = judge(f"2013年5月3日，{DRUNK}")
    assert judgment.note == LAW_CHANGED
    assert judgment.to_row()["act_date"] == {"date": "2013-05-03", "start": 0, "end": 9}
    assert judge(f"2013年5月3日，{DRUNK}", date=date(2022, 1, 1)).note is None


def test_an_act_before_the_code_is_noted() -> None:
    facts = "被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元。"
    judgment = judge(facts, date="1995-01-01")
    assert judgment.charges[0].applies
    assert judgment.note == BEFORE_THE_CODE


def test_without_a_date_nothing_is_added() -> None:
    row = judge(DRUNK).to_row()
    assert {*row} == {"charges", "articles", "rationale", "note", "walk"}
    assert {*row["charges"][0]} == {
        *("name", "probability", "grade", "share", "path", "applies", "rationale", "expressions")
    }
    assert row["note"] is None


def test_an_invalid_date_is_an_error() -> None:
    with pytest.raises(InputError, match="'2019-02-30' is not a date"):
        judge(DRUNK, date="2019-02-30")


def test_the_command_takes_the_date() -> None:
    answer = CliRunner().invoke(app, ["judge", "--text", DRUNK, "--date", "2011-04-30", "--json"])
    assert json.loads(answer.output)["charges"][0]["remark"]["code"] == "not_yet_in_force"
    shown = CliRunner().invoke(app, ["judge", "--text", DRUNK, "--date", "2011-04-30"])
    assert "since 2011-05-01, 刑法修正案（八）" in shown.output


@pytest.mark.parametrize(
    ("facts", "charge"),
    [
        ("2014年6月，民警当场抓获正在组织考试作弊的李某，其在考场外用无线电向三十名考生发送答案。", "组织考试作弊罪"),
        ("2019年4月，民警依法传唤时，周某挥拳击打正在执行职务的民警面部，致其轻微伤。", "袭警罪"),
    ],
)
def test_an_act_is_not_later_than_the_arrest_or_the_summons(facts: str, charge: str) -> None:
    judgment = judge(facts)
    assert judgment.act_date is not None
    [listed] = [one for one in judgment.charges if one.name == charge]
    assert not listed.applies
