"""Surrender (自首): told without its name, without a confession, and denied by the court."""

import pytest

from lexgear.corpus.extraction.factors.find import find_factors


def surrendered(**sections: str) -> bool:
    return "surrender" in {factor.name for factor in find_factors(sections)}


@pytest.mark.parametrize(
    "coming",
    [
        "打电话报警并在现场等候",
        "拨打110报警，在原地等候民警",
        "拨打报警电话后一直未离开现场",
        "得知他人报警后一直未离开现场",
        "于次日经民警电话通知到派出所接受调查",
        "经公安机关电话传唤到案",
    ],
)
def test_a_defendant_who_waits_or_comes_when_called_and_confesses_has_surrendered(coming: str) -> None:
    assert surrendered(text=f"被告人孙某驾车撞倒行人后，{coming}，如实供述了犯罪事实。")
    assert not surrendered(text=f"被告人孙某驾车撞倒行人后，{coming}，拒绝回答问题。")


@pytest.mark.parametrize(
    "told",
    [
        "被害人冯某报警后在现场等候民警，民警抓获被告人孙某，他如实供述了犯罪事实。",
        "群众报警并在现场等候，被告人孙某被抓获，他如实供述了犯罪事实。",
        "被告人孙某阻止冯某报警，要他在家中等候，后被抓获，如实供述了犯罪事实。",
        "被告人孙某经电话通知到案，到案后未能如实供述，次日供认不讳。",
        "公安机关电话通知被告人孙某到案，他拒不到案，被抓获后如实供述了犯罪事实。",
    ],
)
def test_the_waiting_of_others_is_no_surrender(told: str) -> None:
    assert not surrendered(text=told)


@pytest.mark.parametrize(
    "reasoning",
    [
        "被告人孙某未如实供述主要犯罪事实，不构成自首。",
        "辩护人关于自首的意见，本院不予采纳。",
        "孙某虽主动投案，但未能如实供述，依法不应认定为自首。",
        "认定自首须自动投案并如实供述，孙某到案后否认犯罪，自首不能成立。",
    ],
)
def test_the_court_decides_whether_a_defendant_who_came_has_surrendered(reasoning: str) -> None:
    fact = "2018年3月1日，被告人孙某到派出所投案。"
    assert surrendered(fact=fact, reasoning="被告人孙某犯罪后投案。")
    assert not surrendered(fact=fact, reasoning=reasoning)


def test_a_surrender_denied_to_one_defendant_is_left_to_another() -> None:
    reasoning = "被告人孙某系自首。被告人冯某未如实供述，不构成自首。"
    assert surrendered(fact="被告人孙某、冯某到派出所投案。", reasoning=reasoning)


def test_arguments_about_the_law_do_not_deny_a_surrender() -> None:
    assert surrendered(reasoning="被告人对行为性质的辩解不影响自首的成立，应认定为自首。")


def test_a_surrender_that_the_court_denies_among_the_facts_is_none() -> None:
    fact = "公诉机关认为，被告人孙某可认定为自首。 经审查，孙某未如实供述主要犯罪事实，不构成自首。"
    assert not surrendered(fact=fact, reasoning="被告人孙某犯罪后自动投案，可酌情从轻处罚。")
    assert surrendered(fact=fact + "被告人冯某系自首。")
