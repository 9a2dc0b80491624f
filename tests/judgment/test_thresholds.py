"""Numbers in the facts are compared with the thresholds of the charge book."""

from datetime import date

import pytest

from lexgear.corpus.extraction.act_dates import ActDate
from lexgear.corpus.extraction.factors.find import find_query_factors
from lexgear.judgment.base_judge import shipped_judge
from lexgear.judgment.circumstances import CIRCUMSTANCES
from lexgear.judgment.grades import Grade
from lexgear.judgment.notes import NoteCode
from lexgear.judgment.thresholds import ThresholdCode, ThresholdRemark, threshold_remark
from lexgear.law.charge_book import charge_book


def remark(charge: str, text: str, day: date | None = None) -> ThresholdRemark | None:
    return threshold_remark(charge, text, find_query_factors(text), ActDate(day) if day else None)


def code(charge: str, text: str, day: date | None = None) -> str | None:
    found = remark(charge, text, day)
    return found.code.value if found else None


@pytest.mark.parametrize(
    ("charge", "text"),
    [
        ("非法持有毒品罪", "民警从其身上查获海洛因4.3克。"),
        ("危险驾驶罪", "经鉴定，其血液酒精含量为60mg/100ml。"),
        ("故意伤害罪", "两人互殴，经鉴定，被害人的伤情为轻微伤。"),
        ("盗窃罪", "某日在超市内窃取价值400元的商品。"),
        ("诈骗罪", "谎称代购，骗取对方价值共计1800元。"),
        ("受贿罪", "收受贿赂款共计8000元。"),
        ("交通肇事罪", "驾车追尾，负全部责任，致对方轻伤。"),
    ],
)
def test_a_number_below_a_verified_threshold_excludes_the_charge(charge: str, text: str) -> None:
    found = remark(charge, text)
    assert found is not None
    assert found.code is ThresholdCode.NOT_REACHED
    assert found.verified
    assert text[found.start : found.end]


@pytest.mark.parametrize(
    ("charge", "text"),
    [
        ("非法持有毒品罪", "民警从其身上查获海洛因12克。"),
        ("非法持有毒品罪", "民警从其身上查获海洛因4克、甲基苯丙胺8克。"),
        ("危险驾驶罪", "经鉴定，其血液酒精含量为180mg/100ml。"),
        ("危险驾驶罪", "两人追逐竞驶，血液酒精含量为60mg/100ml。"),
        ("故意伤害罪", "经鉴定，一人轻伤，一人轻微伤。"),
        ("盗窃罪", "溜进邻居家中，窃取价值400元的首饰。"),
        ("盗窃罪", "先后三次在超市内窃取价值共计400元的商品。"),
        ("盗窃罪", "在公交车上扒窃，窃得价值400元的手机一部。"),
        ("盗窃罪", "窃得手机一部，后以400元的价格卖出。"),
        ("盗窃罪", "窃得电动车一辆和400元。"),
        ("抢劫罪", "持刀劫取人民币50元。"),
        ("交通肇事罪", "驾车撞人，致一人死亡、一人轻伤。"),
    ],
)
def test_a_number_that_is_enough_or_not_the_whole_truth_says_nothing(charge: str, text: str) -> None:
    assert remark(charge, text) is None


def test_the_provinces_choose_within_a_range() -> None:
    assert code("盗窃罪", "窃取价值1500元的商品。") == "regional"


def test_special_circumstances_may_halve_a_threshold() -> None:
    assert code("盗窃罪", "窃取价值700元的商品。") == "below_usual"


def test_an_unverified_threshold_only_adds_a_remark() -> None:
    found = remark("职务侵占罪", "利用职务便利侵占公司款项共计20000元。")
    assert found is not None
    assert (found.code, found.verified) == (ThresholdCode.BELOW_USUAL, False)
    assert found.to_row()["text"].endswith("unverified)")


def test_a_threshold_that_is_younger_than_the_act_excludes_nothing() -> None:
    facts = "收受贿赂款共计8000元。"
    assert code("受贿罪", facts, date(2010, 5, 1)) == "below_usual"
    assert code("受贿罪", facts, date(2020, 5, 1)) == "not_reached"


def test_every_circumstance_is_one_of_the_charge_book() -> None:
    known = {name for entry in charge_book().values() for one in entry.thresholds for name in one.unless}
    assert known >= CIRCUMSTANCES.keys()


@pytest.mark.parametrize(
    ("charge", "text", "stated", "threshold"),
    [
        (
            "危险驾驶罪",
            "王某饮酒后驾驶小型轿车回家，被交警设卡查获，抽血检验，血液酒精含量为60mg/100ml。",
            "60mg/100ml",
            "80 毫克/100毫升",
        ),
        (
            "盗窃罪",
            "王某在超市购物时，趁店员不备窃取价值人民币400元的商品，出门时被保安抓获。",
            "400元",
            "1,000–3,000 元",
        ),
    ],
)
def test_a_judgment_moves_the_charge_below_and_says_why(charge: str, text: str, stated: str, threshold: str) -> None:
    judgment = shipped_judge("zh").judge(text)
    lowered = next(one for one in judgment.charges if one.name == charge)
    assert lowered.grade is Grade.UNLIKELY
    assert not lowered.applies
    assert lowered.threshold is not None
    assert text[lowered.threshold.start : lowered.threshold.end] == stated
    assert lowered.to_row()["threshold"]["threshold"] == threshold
    assert judgment.note is not None
    assert judgment.note.code is NoteCode.BELOW_THRESHOLD
