"""Deleting the rationale, or as much of the rest."""

import numpy as np
import pytest

from lexgear.evaluation.reproduce.rationale.cases import StudyCase
from lexgear.evaluation.reproduce.rationale.charge_classifier import ChargeClassifier
from lexgear.evaluation.reproduce.rationale.deletion import (
    BEGINNING,
    BEST,
    NOTHING,
    OTHERS,
    delete_rationale,
    judgment_changes,
)
from lexgear.evaluation.reproduce.rationale.model_inputs import WINDOW
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import RationaleSettings

TEXT = "二〇二〇年某日甲外出。甲窃取公私财物。其后甲回家休息睡觉。次日甲乘车去外地探望亲戚。"
LEXICON = Lexicon.from_charges({"盗窃罪": "窃取公私财物", "抢劫罪": "以暴力抢劫公私财物"}, "zh")
INPUTS = Inputs(LEXICON, RationaleSettings())


def cut(text: str, seed: int = 0) -> tuple[str, str, int]:
    found = delete_rationale(text, INPUTS.rationale(text), "zh", np.random.default_rng(seed))
    assert found is not None
    assert found.remaining[BEGINNING] == text[found.characters :]
    return found.remaining[BEST], found.remaining[OTHERS], found.characters


def test_the_best_sentences_go_within_half_of_the_text_and_as_many_other_characters() -> None:
    for seed in range(20):
        without_rationale, without_others, characters = cut(TEXT, seed)
        assert "窃取" not in without_rationale
        assert "甲窃取公私财物。" in without_others
        assert len(without_rationale) == len(without_others) == len(TEXT) - characters
        assert 8 <= characters <= len(TEXT) // 2
    assert len({cut(TEXT, seed)[1] for seed in range(20)}) > 1
    assert cut(TEXT, 3) == cut(TEXT, 3)


def test_a_text_of_one_sentence_cannot_be_cut() -> None:
    text = "甲窃取公私财物。"
    assert delete_rationale(text, INPUTS.rationale(text), "zh", np.random.default_rng(0)) is None


def test_no_more_is_deleted_than_a_model_reads() -> None:
    act = "天，甲在当地某小区某号楼翻窗进入一户无人在家的住户家中，窃取公私财物后逃离现场。"
    long = "".join(f"第{number}{act}" for number in range(1, 100))
    assert WINDOW - 40 < cut(long)[2] <= WINDOW


def test_a_judge_who_looks_for_the_rationale_is_moved_by_it_most() -> None:
    theft, robbery, neither = "甲窃取公私财物。", "甲以暴力抢劫公私财物。", "甲乘车去外地探望亲戚。"
    learnt = [theft, theft + neither, robbery, robbery + neither]
    judge = ChargeClassifier(learnt, [("盗窃罪",)] * 2 + [("抢劫罪",)] * 2, "zh")
    cases = [StudyCase("a", TEXT, ("盗窃罪",)), StudyCase("b", theft, ("盗窃罪",))]
    found = judgment_changes(cases, INPUTS, judge, seed=0)
    assert found.left_out == 1  # a single sentence
    assert found.right[NOTHING] == [1.0]
    assert found.right[OTHERS] == [1.0]
    [by_rationale], [by_others] = found.change[BEST], found.change[OTHERS]
    assert by_rationale > by_others
    before, after = judge.probabilities([TEXT, TEXT.replace(theft, "")])
    assert by_rationale == pytest.approx(abs(before - after).sum())
    assert judgment_changes(cases[1:], INPUTS, judge, seed=0).characters == []
