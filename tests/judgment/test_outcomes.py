"""Outcomes that laypeople tell: what was taken, and what an authority found."""

import pytest

from lexgear.api import judge
from lexgear.judgment.outcomes import tells_of_exoneration, tells_of_property_taken


@pytest.mark.parametrize(
    "text",
    [
        "歹徒拿刀砍我，我夺刀反击刺中他，他后来死了，公安机关认定我是正当防卫。",
        "行人翻越护栏横穿高速被撞身亡，交警认定行人负全部责任，司机无责任。",
        "病人抢救无效死亡，医学会鉴定不属于医疗事故。",
        "他在足浴店嫖娼，被行政拘留十日。",
    ],
)
def test_who_was_exonerated_is_not_accused(text: str) -> None:
    assert tells_of_exoneration(text)
    charges = judge(text).charges
    assert not any(charge.applies or charge.rationale or charge.expressions for charge in charges)


@pytest.mark.parametrize(
    "text",
    [
        "他说自己是正当防卫，法院说是防卫过当，判处三年。",
        "他因吸毒被行政拘留，出来后又去偷了一辆车。",
        "鉴定说这不属于正当防卫。",
        "司机负全部责任，撞死了一个老人。",
    ],
)
def test_a_crime_beside_such_a_finding_is_still_a_crime(text: str) -> None:
    assert not tells_of_exoneration(text)


def test_a_theft_of_some_value_is_a_criminal_matter_however_briefly_it_is_told() -> None:
    text = "他在超市偷了三千块钱的烟，被保安抓住，送到派出所。"
    assert tells_of_property_taken(text)
    assert judge(text).charges[0].name == "盗窃罪"


@pytest.mark.parametrize("text", ["我没偷那三千块钱。", "他向我借了三千块钱没还。", "梦见自己被偷了。"])
def test_no_property_was_taken(text: str) -> None:
    assert not tells_of_property_taken(text)


@pytest.mark.parametrize(
    ("text", "charge"),
    [
        ("表哥开货车闯红灯，把过斑马线的老太太撞死了，交警认定他全责。", "交通肇事罪"),
        ("他用刀砍伤邻居，轻伤一级，之后打电话给警察自首。", "故意伤害罪"),
        ("2023年他打了一名正在执勤的交警，致轻微伤。", "袭警罪"),
    ],
)
def test_police_who_are_not_hit_are_not_attacked(text: str, charge: str) -> None:
    assert judge(text).charges[0].name == charge
