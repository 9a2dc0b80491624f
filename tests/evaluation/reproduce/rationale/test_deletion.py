"""Deleting the rationale, or as much of the rest."""

import numpy as np
import pytest

from lexgear.evaluation.reproduce.rationale.cases import StudyCase
from lexgear.evaluation.reproduce.rationale.deletion import delete_rationale, judgment_changes, total_change
from lexgear.rankers.inputs import Inputs
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import RationaleSettings

TEXT = "二〇二〇年某日甲外出。甲窃取公私财物。其后甲回家休息睡觉。次日甲乘车去外地探望亲戚。"
LEXICON = Lexicon.from_charges({"盗窃罪": "窃取公私财物", "抢劫罪": "以暴力抢劫公私财物"}, "zh")
INPUTS = Inputs(LEXICON, RationaleSettings())


def cut(text: str, seed: int = 0) -> tuple[str, str, int]:
    found = delete_rationale(text, INPUTS.rationale(text), "zh", np.random.default_rng(seed))
    assert found is not None
    return found.without_rationale, found.without_others, found.characters


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


def test_the_change_counts_charges_that_appear_and_that_vanish() -> None:
    assert total_change({"a": 0.5}, {"b": 0.25}) == 0.75
    assert total_change({"a": 0.5}, {}) == 0.5
    assert total_change({}, {}) == 0


def test_a_judge_who_looks_for_the_rationale_is_moved_by_it_alone() -> None:
    cases = [
        StudyCase("a", TEXT, ("盗窃罪",)),
        StudyCase("b", "甲窃取公私财物。", ()),
        StudyCase("c", TEXT[:11] * 4, ()),
    ]
    asked = []

    def judge(text: str) -> dict[str, float]:
        asked.append(text)
        return {"盗窃罪": 0.9} if "窃取" in text else {"盗窃罪": 0.1, "抢劫罪": 0.2} if "次日" in text else {}

    found = judgment_changes(cases, INPUTS, judge, seed=0)
    assert found.rationale == pytest.approx([1.0])
    assert found.others == (0.0,)
    assert found.left_out == 2  # one sentence, and a case not judged even whole
    assert len(asked) == 4
    assert judgment_changes(cases[1:2], INPUTS, judge, seed=0).rationale == ()
