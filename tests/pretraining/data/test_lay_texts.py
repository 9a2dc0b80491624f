"""Split of lay texts into those that are learnt and those that validate."""

import random

from lexgear.pretraining.data.lay_texts import validation_mask

TEXTS = ["".join(random.Random(number).choices("天地玄黄宇宙洪荒日月盈昃辰宿列张", k=30)) for number in range(1200)]


def test_about_a_sixth_validates_and_other_seeds_draw_other_texts() -> None:
    drawn = validation_mask(TEXTS)
    assert 150 < sum(drawn) < 250
    assert drawn == validation_mask(TEXTS)
    assert drawn != validation_mask(TEXTS, seed=1)


def test_variants_of_one_story_are_on_the_same_side() -> None:
    variants = [f"{text[:12]}，别的结尾{number}" for number, text in enumerate(TEXTS)]
    drawn = validation_mask([*TEXTS, *variants])
    assert drawn[: len(TEXTS)] == drawn[len(TEXTS) :]


def test_texts_that_are_added_leave_the_others_where_they_are() -> None:
    assert validation_mask(TEXTS[:700]) == validation_mask(TEXTS)[:700]


def test_a_text_that_joins_two_groups_puts_both_on_the_side_of_the_earlier() -> None:
    drawn = validation_mask(TEXTS)
    other = drawn.index(not drawn[0])
    joined = validation_mask([*TEXTS, f"{TEXTS[other][:12]}，{TEXTS[0][:12]}"])
    assert joined == [*drawn[:other], drawn[0], *drawn[other + 1 :], drawn[0]]
