"""Sentences with common words that say something else are not similar."""

import pytest

from lexgear.serve.comparing.contrasts import Contrast, contrast


@pytest.mark.parametrize(
    ("left", "right", "words", "differs"),
    [
        ("被告人主动投案并如实供述，系自首。", "被告人未主动投案，不构成自首。", ["投案", "自首"], Contrast.NEGATION),
        ("被告人赔偿被害人损失并取得谅解。", "被告人没有赔偿被害人损失。", ["赔偿", "损失"], Contrast.NEGATION),
        ("被告人窃得现金五千元。", "被告人窃得现金12万元。", ["窃得", "现金"], Contrast.AMOUNT),
        ("查获冰毒0.8克。", "查获冰毒2公斤。", ["查获", "冰毒"], Contrast.AMOUNT),
        ("被告人在共同犯罪中系从犯。", "被告人在共同犯罪中系主犯。", ["共同", "犯罪"], Contrast.ROLE),
        ("被告人持刀捅刺被害人腹部。", "被害人持刀捅刺被告人腹部。", ["持刀", "捅刺", "腹部"], Contrast.ROLE),
        ("经鉴定，被害人的损伤构成轻伤二级。", "经鉴定，被害人的损伤构成重伤二级。", ["鉴定", "损伤"], Contrast.INJURY),
        ("被告人窃得现金五千元。", "被告人窃得现金6200元。", ["窃得", "现金"], None),
        ("被告人非法侵入他人住宅。", "被告人侵入他人住宅。", ["侵入", "住宅"], None),
        ("被告人无证驾驶小型轿车。", "被告人驾驶小型轿车。", ["驾驶", "轿车"], None),
        ("被告人盗窃未遂。", "被告人盗窃既遂。", ["盗窃"], Contrast.ROLE),
        ("赃款 5,000.00 元。", "赃款 12 万 元。", ["赃款"], Contrast.AMOUNT),
        ("编号1" + "0" * 100_000 + "，赃款5元。", "赃款" + " " * 100_000 + "9元。", ["赃款"], None),
        ("赃款1" + " " * 100_000, "赃款" + "1," * 50_000, ["赃款"], None),
    ],
)
def test_a_contrast_is_named(left: str, right: str, words: list[str], differs: Contrast | None) -> None:
    assert contrast(left, right, words) is differs
    assert contrast(right, left, words) is differs
