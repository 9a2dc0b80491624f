"""Signs in the facts decide between easily confused charges, and for charges that are too new for the models."""

from datetime import date

import pytest

from lexgear.corpus.extraction.act_dates import ActDate
from lexgear.judgment.grades import APPLIES
from lexgear.judgment.law_in_force import apply_law_in_force
from lexgear.judgment.records import PredictedCharge
from lexgear.judgment.signs import MOST, new_charges, weigh_signs
from lexgear.law.shipped import chinese_criminal_law

LAW = chinese_criminal_law()
PATHS = {node.number: tuple(step.id for step in LAW.path(node)) for node in LAW.of_kind("charge")}
ASSAULT = "民警传唤某某时，某某用头撞击民警鼻部，致轻微伤。"


def after(text: str, charges: dict[str, float], day: date | None = None) -> dict[str, float]:
    predicted = [PredictedCharge(name, p, p, PATHS[name], p >= APPLIES) for name, p in charges.items()]
    then = apply_law_in_force(predicted, LAW, ActDate(day) if day else None, APPLIES)
    weighed = weigh_signs(then, text, APPLIES)
    assert all(charge.applies == (charge.probability >= APPLIES) for charge in weighed if charge.in_force)
    return {charge.name: charge.probability for charge in weighed}


@pytest.mark.parametrize(
    ("text", "more", "less"),
    [
        ("某某偷偷把商户的收款码换成自己的。", "盗窃罪", "诈骗罪"),
        ("某某冒充客服，骗取转账。", "诈骗罪", "盗窃罪"),
        ("某某携带匕首抢走挎包。", "抢劫罪", "抢夺罪"),
        ("某某以曝光照片相要挟。", "敲诈勒索罪", "抢劫罪"),
        ("副局长虚列支出，套取补贴资金归个人使用。", "贪污罪", "滥用职权罪"),
        ("在住处查获海洛因35克，无证据证明用于贩卖。", "非法持有毒品罪", "走私、贩卖、运输、制造毒品罪"),
        ("某某开设会所，招募、管理卖淫女子。", "组织卖淫罪", "协助组织卖淫罪"),
        ("某某在院内倒车时操作不当，致人死亡。", "过失致人死亡罪", "交通肇事罪"),
        ("某某持砍刀逼停货车，劫得现金，将司机捆绑后弃于路边。", "抢劫罪", "绑架罪"),
        ("某某谎称给朋友看看，店员把项链交给他，他走了。", "诈骗罪", "抢劫罪"),
        ("某某翻进工厂，偷走车间里的铜线。", "盗窃罪", "破坏电力设备罪"),
        ("某某冒充卫健委执法人员检查诊所，收取罚款。", "招摇撞骗罪", "伪造公司、企业、事业单位、人民团体印章罪"),
        ("某某称掌握其嫖娼的视频，要求转账五万元，否则寄给其单位。", "敲诈勒索罪", "引诱、容留、介绍卖淫罪"),
        ("国家工作人员收受贿赂，为他人谋取工程项目。", "受贿罪", "利用影响力受贿罪"),
        ("副总经理把公司的盈利业务交给妻子的公司经营。", "为亲友非法牟利罪", "非国家工作人员受贿罪"),
        ("某某在宾馆嫖宿一名13岁女孩，付五百元。", "强奸罪", "引诱、容留、介绍卖淫罪"),
    ],
)
def test_the_charge_whose_signs_are_shown_gains(text: str, more: str, less: str) -> None:
    found = after(text, {less: 0.5, more: 0.3})
    assert found[more] > APPLIES > found[less]
    assert sum(found.values()) == pytest.approx(0.8)


def test_signs_of_both_or_of_neither_change_nothing() -> None:
    charges = {"盗窃罪": 0.5, "诈骗罪": 0.3}
    assert after("某某谎称检修，趁机偷走现金。", charges) == charges
    assert after("某某拿走现金。", charges) == charges


def test_things_thrown_down_to_the_path_show_the_new_charge() -> None:
    found = after("某某与家人争吵，将花瓶从12楼扔到楼下小区通道。", {"故意伤害罪": 0.6, "高空抛物罪": 0.0})
    assert found["高空抛物罪"] > APPLIES


def test_a_denied_sign_does_not_count() -> None:
    charges = {"抢夺罪": 0.5, "抢劫罪": 0.3}
    assert after("某某没有持刀。", charges) == charges


def test_a_charge_without_a_necessary_sign_yields_to_an_improbable_one() -> None:
    found = after("老板为拿到项目，先后送给院长现金四十万元。", {"受贿罪": 0.9, "行贿罪": 0.0})
    assert found["行贿罪"] > APPLIES > found["受贿罪"]


def test_a_new_charge_takes_over_from_the_day_it_is_in_force() -> None:
    charges = {"妨害公务罪": 0.97, "袭警罪": 0.0}
    assert after(ASSAULT, charges, date(2021, 2, 28))["妨害公务罪"] == 0.97
    for day in (date(2021, 3, 1), None):
        found = after(ASSAULT, charges, day)
        assert APPLIES < found["袭警罪"] <= MOST
        assert found["妨害公务罪"] < 0.1


def test_a_new_charge_that_was_not_in_force_is_as_probable_as_today_without_applying() -> None:
    text = "某某从自家阳台把菜刀扔下楼。"
    charges = {"故意伤害罪": 0.3, "寻衅滋事罪": 0.24, "高空抛物罪": 0.01}
    predicted = [PredictedCharge(name, p, p, PATHS[name], p >= APPLIES) for name, p in charges.items()]
    today, then = (
        {charge.name: charge for charge in weigh_signs(listed, text, APPLIES)}
        for listed in (predicted, apply_law_in_force(predicted, LAW, ActDate(date(2020, 5, 1)), APPLIES))
    )
    thrown = then.pop("高空抛物罪")
    assert thrown.probability == today["高空抛物罪"].probability > 0.4
    assert not thrown.applies and thrown.remark is not None and thrown.remark.day == date(2021, 3, 1)
    assert {name: charge.probability for name, charge in then.items()} == {"故意伤害罪": 0.3, "寻衅滋事罪": 0.24}


def test_new_charges_are_named_by_their_signs() -> None:
    assert new_charges(ASSAULT) == ("袭警罪",)
    assert new_charges("民警打电话通知某某到案。") == ()
    assert new_charges("某某从十二楼阳台扔下花盆。") == ("高空抛物罪",)
