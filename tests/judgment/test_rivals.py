"""Charges that compete for the same conduct share its probability by what the facts say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgear.judgment.expressions import expressions_in
from lexgear.judgment.grades import APPLIES
from lexgear.judgment.records import PredictedCharge
from lexgear.judgment.rivals import absorb, compete, share_between_rivals
from lexgear.law.charge_book import charge_book

NAMES = ["抢劫罪", "故意伤害罪", "盗窃罪", "诈骗罪", "合同诈骗罪", "危险驾驶罪", "寻衅滋事罪"]
TEXTS = ["甲持刀殴打乙，抢走手机。", "甲签订合同后骗取货款并挥霍。", "甲与乙争吵，用木棍打伤乙，致轻伤。", ""]


def predicted(name: str, probability: float, text: str) -> PredictedCharge:
    applies = probability >= APPLIES
    expressions = expressions_in(text, name)
    return PredictedCharge(name, probability, probability, (name,), applies, expressions=expressions)


def after(text: str, *charges: tuple[str, float]) -> dict[str, float]:
    absorbed = absorb([predicted(*charge, text) for charge in charges], text, APPLIES)
    return {charge.name: charge.probability for charge in share_between_rivals(absorbed, APPLIES)}


def test_robbery_absorbs_the_injury_by_which_the_property_was_taken() -> None:
    found = after("甲持刀拦住乙，殴打致轻伤，抢走手机。", ("抢劫罪", 0.36), ("故意伤害罪", 0.36))
    assert found["抢劫罪"] >= APPLIES
    assert found["故意伤害罪"] < 0.2


def test_force_against_a_guard_turns_an_improbable_robbery_into_the_charge() -> None:
    found = after("甲翻墙偷铜线，被保安发现后打保安。", ("盗窃罪", 0.85), ("抢劫罪", 0.04))
    assert found["抢劫罪"] >= APPLIES > found["盗窃罪"]


def test_scenery_speaks_for_no_charge() -> None:
    text = "甲在宾馆用手机联系朋友，把现金和项链放在床头柜上。"
    assert not any(expressions_in(text, name) for name in charge_book())


def test_an_injury_without_a_taking_is_not_absorbed() -> None:
    found = after("甲与乙争吵，用木棍打伤乙，致轻伤二级。", ("故意伤害罪", 0.4), ("抢劫罪", 0.3))
    assert found["故意伤害罪"] > 0.4
    assert found["抢劫罪"] < 0.3


def test_a_denied_taking_does_not_absorb() -> None:
    charges = [predicted(name, 0.4, "") for name in ("抢劫罪", "故意伤害罪")]
    assert absorb(charges, "甲打伤乙，但没有抢走任何东西。", APPLIES) == charges


@pytest.mark.parametrize(
    ("text", "more", "less"),
    [
        ("甲公司与乙公司签订购销合同，收取预付款后携款潜逃，至今未发货。", "合同诈骗罪", "诈骗罪"),
        ("甲谎称能办理入学，骗得学费后拉黑，失去联系。", "诈骗罪", "合同诈骗罪"),
        ("甲是某局局长，收受开发商送的购物卡，为其工程承揽提供关照。", "受贿罪", "非国家工作人员受贿罪"),
        ("甲是民营企业的采购经理，收受供应商的返点。", "非国家工作人员受贿罪", "受贿罪"),
    ],
)
def test_the_facts_decide_between_equally_probable_rivals(text: str, more: str, less: str) -> None:
    found = after(text, (more, 0.4), (less, 0.4))
    assert found[more] > 0.45
    assert found[less] < 0.35


def test_charges_that_do_not_compete_stay() -> None:
    assert after("甲醉酒驾驶，又盗走手机。", ("危险驾驶罪", 0.6), ("盗窃罪", 0.4)) == {"危险驾驶罪": 0.6, "盗窃罪": 0.4}


def test_competition_is_symmetric() -> None:
    names = list(charge_book())[::7]
    assert all(compete(one, other) == compete(other, one) for one in names for other in names)


@given(
    st.sampled_from(TEXTS),
    st.lists(st.tuples(st.sampled_from(NAMES), st.floats(0, 1)), unique_by=lambda pair: pair[0]),
)
def test_probabilities_stay_probabilities_and_their_sum_does_not_grow(
    text: str, charges: list[tuple[str, float]]
) -> None:
    found = after(text, *((name, round(value, 4)) for name, value in charges))
    assert all(0 <= value <= 1 for value in found.values())
    assert sum(found.values()) <= sum(value for _, value in charges) + 0.01
    assert list(found.values()) == sorted(found.values(), reverse=True)
