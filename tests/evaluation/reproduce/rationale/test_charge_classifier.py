"""The classifier of charges that is used in place of an annotator."""

from collections import Counter

import numpy as np
import pytest

from lexgear.evaluation.reproduce.rationale.charge_classifier import STRENGTH, ChargeClassifier

THEFT, ROBBERY = (
    ["翻窗入户窃取手机", "夜间窃取电动车", "商场窃取钱包"],
    ["持刀威胁抢走钱包", "暴力威胁抢走手机", "威胁店员"],
)
TEXTS, CHARGES = [*THEFT, *ROBBERY], [("盗窃罪",)] * 3 + [("抢劫罪",)] * 3


def test_it_names_the_charge_whose_words_a_text_has() -> None:
    classifier = ChargeClassifier(TEXTS, CHARGES, "zh")
    assert classifier.predict(["有人窃取自行车", "以威胁手段"]) == ["盗窃罪", "抢劫罪"]
    assert classifier.correct(["有人窃取自行车"] * 2, [("抢劫罪",), ("诈骗罪", "盗窃罪")]) == [0.0, 1.0]


def test_a_case_of_two_charges_speaks_for_both() -> None:
    classifier = ChargeClassifier(["窃取手机"] * 4, [("盗窃罪", "抢劫罪"), ("抢劫罪",), ("盗窃罪",), ("盗窃罪",)], "zh")
    assert classifier.predict(["窃取"]) == ["盗窃罪"]  # 2.5 against 1.5
    classifier = ChargeClassifier(["窃取手机"] * 4, [("盗窃罪", "抢劫罪"), ("抢劫罪",), ("抢劫罪",), ("盗窃罪",)], "zh")
    assert classifier.predict(["窃取"]) == ["抢劫罪"]


def test_a_text_without_a_known_word_gets_the_commonest_charge() -> None:
    classifier = ChargeClassifier([*TEXTS, "窃取财物"], [*CHARGES, ("盗窃罪",)], "zh")
    assert classifier.predict(["", "无关"]) == ["盗窃罪", "盗窃罪"]


def test_the_weights_are_where_the_penalised_loss_is_least() -> None:
    """A second way to the same optimum: with two charges the regression is binary, by Newton's method."""
    classifier = ChargeClassifier(TEXTS, CHARGES, "zh")
    words = np.asarray(classifier._vectors([Counter(classifier._segment(text)) for text in TEXTS]).todense())
    target = np.array([0.0] * 3 + [1.0] * 3)  # 抢劫罪 comes second by name
    apart = np.zeros(words.shape[1])
    for _ in range(50):  # the two columns are opposite: penalty ½·C⁻¹·2·(apart/2)²
        p = 1 / (1 + np.exp(-words @ apart))
        gradient = words.T @ (p - target) + apart / (2 * STRENGTH)
        hessian = words.T @ (words * (p * (1 - p))[:, None]) + np.eye(len(apart)) / (2 * STRENGTH)
        apart -= np.linalg.solve(hessian, gradient)
    order = [classifier.charges.index("盗窃罪"), classifier.charges.index("抢劫罪")]
    found = classifier._weights[:, order[1]] - classifier._weights[:, order[0]]
    assert found == pytest.approx(apart, abs=1e-3)
