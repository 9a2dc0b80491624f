"""Judgments on the sample's unseen queries, on paraphrased facts, and on texts that are no case."""

import numpy as np
import pytest

from lexgear.api import Index
from lexgear.corpus.records import Query
from lexgear.evaluation.calibration import JudgedQuery, judgment_quality
from lexgear.judgment.notes import TOO_SHORT, Note, NoteCode

# Facts as a person would tell them, in words of our own; not all of them are the sample's.
PARAPHRASED = {
    "盗窃罪": "凌晨，李某趁邻居家中无人，用铁丝捅开防盗门锁，进入室内拿走金项链一条和现金八千元。",
    "诈骗罪": "张某谎称自己能帮人办理重点中学入学手续，先后收取三名家长共计十二万元，得款后用于还债，将对方拉黑。",
    "危险驾驶罪": "晚上十点多，王某在饭店喝了白酒后驾驶小轿车回家，在路口被交警拦下检查，抽血检验酒精含量超标。",
    "故意伤害罪": "赵某与同事发生口角，抄起水杯砸向对方面部，致对方鼻骨骨折，经鉴定为轻伤二级。",
    "非法拘禁罪": "为了讨要欠款，郑某带人将债务人关在宾馆房间里三天，派人轮流看守，不许其离开。",
    "拒不支付劳动报酬罪": "包工头宋某拖欠二十名工人工资，劳动部门责令其限期支付，他关掉手机逃到外地。",
    "容留他人吸毒罪": "夏某在出租房内多次提供场所和工具，让几个朋友一起吸食冰毒。",
    "职务侵占罪": "公司出纳吴某利用保管公司账户的便利，伪造报销单据，分十几次把单位资金转到自己卡上。",
}
NO_CASE = {
    "recipe": "先将五花肉洗净切成小块，冷水下锅焯水，捞出沥干。加入冰糖小火炒至焦糖色，倒入开水，转小火慢炖一个小时。",
    "weather": "今天白天多云转晴，最高气温二十八摄氏度，偏南风三到四级；夜间有小雨，市民出行请注意携带雨具。",
    "science": "光合作用是绿色植物利用光能，将二氧化碳和水转化为储存着能量的有机物，并且释放出氧气的过程。",
    "football": "昨晚的比赛中，主队在上半场凭借前锋的头球先入一球，下半场客队扳平比分，补时阶段主队以点球取胜。",
    "trip": "上周末我们一家三口开车去了海边，早上起来看日出，中午在沙滩上堆城堡，孩子玩得特别开心。",
}


def test_the_judgment_names_the_charge_its_article_and_its_path(index: Index, unseen: list[Query]) -> None:
    right = 0
    for query in unseen:
        judgment = index.judge(query.text)
        first = judgment.charges[0]
        right += first.name in query.charges
        assert [charge.probability for charge in judgment.charges] == sorted(
            (charge.probability for charge in judgment.charges), reverse=True
        )
        assert len(judgment.charges) == 10
        assert first.path[-1].endswith(first.name)
        if first.applies:
            assert first.path[-2].rsplit("/", 1)[-1] in judgment.articles
    assert right / len(unseen) >= 0.9


def test_probabilities_are_calibrated_on_unseen_queries(index: Index, unseen: list[Query]) -> None:
    judged = [
        JudgedQuery(
            frozenset(query.charges), {charge.name: charge.probability for charge in index.judge(query.text).charges}
        )
        for query in unseen
    ]
    assert judgment_quality(judged).calibration_error.value < 0.05


def test_every_charge_that_applies_has_sentences_and_nearly_all_have_their_own(
    index: Index, unseen: list[Query]
) -> None:
    own = []
    for query in unseen:
        judgment = index.judge(query.text)
        for charge in judgment.charges:
            assert charge.rationale or not charge.applies
            for part in charge.rationale:
                assert query.text[part.start : part.end] == part.text
                assert part.charge == charge.name
        several = [charge.rationale[0].text for charge in judgment.charges if charge.applies]
        if len(several) > 1:
            own.append(len(set(several)) == len(several))
    assert np.mean(own) >= 0.7


def test_the_walk_lists_shares_from_one_percent_that_add_up(index: Index, unseen: list[Query]) -> None:
    walk = dict(index.judge(unseen[0].text).walk)
    assert walk["cn-criminal/2"] == 1
    assert min(walk.values()) >= 0.01
    for place, share in walk.items():
        below = [walk[child] for child in index.law[place].children if child in walk]
        assert sum(below) <= share + 1e-4


@pytest.mark.parametrize("charge", PARAPHRASED)
def test_paraphrased_facts_lead_to_their_charge(index: Index, charge: str) -> None:
    judgment = index.judge(PARAPHRASED[charge])
    assert judgment.charges[0].name == charge
    assert judgment.charges[0].probability > 2 * judgment.charges[1].probability


@pytest.mark.parametrize("kind", NO_CASE)
def test_fluent_texts_that_are_no_case_are_recognised(index: Index, kind: str) -> None:
    judgment = index.judge(NO_CASE[kind])
    assert judgment.note == Note(NoteCode.NOT_A_CASE, "this does not read like the facts of a case")
    assert (judgment.charges, judgment.articles, judgment.walk) == ((), (), ())


@pytest.mark.parametrize("text", ["", "。。。", "你好", "甲", "\ud800", "🙂🙂", "\x00", "\n\n", "123"])
def test_a_text_that_is_too_short_gets_a_note(index: Index, text: str) -> None:
    judgment = index.judge(text)
    assert judgment.note == TOO_SHORT
    assert judgment.charges == ()


@pytest.mark.parametrize("stray", ["\ud800", "\x00", "🙂", "\u202e", "\x1b[31m"])
def test_stray_characters_do_not_change_the_first_charge(index: Index, stray: str) -> None:
    facts = PARAPHRASED["盗窃罪"]
    judgment = index.judge(f"{stray}{facts}{stray}")
    assert judgment.charges[0].name == "盗窃罪"
    assert index.search(f"{stray}{facts}{stray}", k=3)


@pytest.mark.parametrize("text", ["翻墙进入商店，拿走现金。" * 160_000, "。" * 2_000_000], ids=["facts", "punctuation"])
def test_two_million_characters_are_judged_and_searched(index: Index, text: str) -> None:
    judgment = index.judge(text)
    index.search(text, k=2)
    assert judgment.charges or judgment.note


def test_an_unclear_case_lists_charges_but_none_applies(index: Index) -> None:
    judgment = index.judge(
        "陈某因与村民有矛盾，半夜将汽油泼在对方家的柴垛上点燃，火势蔓延到旁边两户人家的房屋，烧毁家具若干。"
    )
    assert judgment.note is not None
    assert judgment.to_row()["note"] == {"code": "no_probable_charge", "text": judgment.note.text}
    assert judgment.charges
    assert judgment.articles == ()
