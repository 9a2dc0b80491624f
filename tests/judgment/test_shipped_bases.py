"""Judgments of the base models that ship with the package, without an index."""

import pytest

from lexgear.api import judge
from lexgear.judgment.notes import NO_CHARGES_IN_LAW, NoteCode
from lexgear.pretraining.base import SHIPPED


@pytest.mark.parametrize(
    ("facts", "charge", "article"),
    [
        ("被告人深夜翻墙进入一家商店，撬开收银柜拿走现金五千余元。", "盗窃罪", "264"),
        ("持刀威胁店主，抢走手机", "抢劫罪", "263"),
        ("李某谎称能为他人办理入学手续，骗取现金五万元后失去联系。", "诈骗罪", "266"),
        ("王某酒后驾驶小轿车被交警查获，血液酒精含量180mg/100ml。", "危险驾驶罪", "133-1"),
        ("刘某开车撞死行人后逃逸。", "交通肇事罪", "133"),
        ("国家工作人员收受贿赂五十万元，为他人谋取工程项目。", "受贿罪", "385"),
    ],
    ids=["theft", "robbery", "fraud", "drunk driving", "fatal accident", "bribery"],
)
def test_a_crime_described_in_one_sentence_is_named(facts: str, charge: str, article: str) -> None:
    judgment = judge(facts)
    assert judgment.charges[0].name == charge
    assert judgment.charges[0].applies
    assert judgment.articles[0] == article


@pytest.mark.parametrize(
    "text",
    [
        "豆腐切块焯水，锅里放油炒香葱姜，加豆瓣酱和清汤，放入豆腐小火煮五分钟，勾芡，撒上花椒粉即可。",
        "今天夜间到明天白天，本市晴转多云，北风三到四级，最高气温八度，最低气温零下二度，请注意添衣保暖。",
        "亲爱的妈妈，我在学校一切都好，食堂的饭菜很合胃口，室友们也很照顾我，等放寒假我就坐火车回家看您。",
    ],
    ids=["recipe", "weather", "letter"],
)
def test_a_text_about_something_else_is_not_judged(text: str) -> None:
    judgment = judge(text)
    assert judgment.note is not None
    assert (judgment.note.code, judgment.note.matter) == (NoteCode.NOT_CRIMINAL, "everyday")
    assert judgment.charges == ()


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Que faire en cas de perte de points sur le permis de conduire ?", "Code de la route"),
        ("Comment obtenir un titre de séjour pour un étranger ?", "Code de l'entrée et du séjour des étrangers"),
    ],
)
def test_a_question_in_french_leads_to_its_code(question: str, code: str) -> None:
    judgment = judge(question, language="fr")
    assert (judgment.charges, judgment.note) == ((), NO_CHARGES_IN_LAW)
    place, _ = max(judgment.walk, key=lambda pair: pair[1])
    assert place.startswith(code)


def test_the_files_of_the_base_models_are_not_too_large() -> None:
    sizes = [path.stat().st_size for path in SHIPPED.rglob("*.safetensors")]
    assert max(sizes) < 16 << 20
    assert sum(sizes) < 64 << 20


def test_the_facts_of_an_accusation_are_a_criminal_matter_even_if_they_are_slight() -> None:
    judgment = judge("2019年5月，被告人醉酒后殴打前来处警的民警，致其轻微伤。")
    assert judgment.charges[0].name == "妨害公务罪"


def test_a_question_about_a_divorce_is_told_to_be_one() -> None:
    note = judge("我要离婚，丈夫不肯签字，孩子归谁抚养？").note
    assert note is not None
    assert note.matter == "family"
