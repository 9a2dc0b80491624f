"""Masked language modelling: the masked tokens, and learning to predict them."""

import numpy as np
import torch

from lexgear.model.encoder.bodies import T5Body
from lexgear.model.t5 import T5Shape
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop, LoopSettings
from lexgear.training.objectives.masked import MaskedObjective, mask_tokens

SHAPE = T5Shape(51, width=16, heads=2, head_width=8, inner=32, encoder_layers=1, dropout=0.0)
CHANCE = np.random.default_rng(0)


def texts(count: int, length: int) -> Examples:
    """Return texts of all lengths made of two tokens that always follow each other."""
    first = CHANCE.integers(0, 25, (count, 1))
    numbers = np.where(np.arange(length) % 2 == 0, first, first + 25)
    mask = np.arange(length) < CHANCE.integers(1, length + 1, (count, 1))
    return Examples(np.where(mask, numbers, 0), mask, [np.zeros(0, np.int64)] * count)


def test_a_share_of_the_tokens_is_hidden_and_never_padding() -> None:
    body, read = T5Body(SHAPE), texts(400, 40)
    shown = mask_tokens(read, 0.15, body.masking, np.random.default_rng(1))
    assert not (shown.wanted & ~read.mask).any()
    assert shown.wanted.any(1).all()  # at least one per text
    assert abs(shown.wanted.sum() / read.mask.sum() - 0.15) < 0.03
    assert (shown.numbers == read.numbers)[~shown.wanted].all()


def test_of_ten_hidden_tokens_eight_are_masked_one_stays_and_one_is_another() -> None:
    body, read = T5Body(SHAPE), texts(400, 40)
    shown = mask_tokens(read, 0.5, body.masking, np.random.default_rng(1))
    now, before = shown.numbers[shown.wanted], read.numbers[shown.wanted]
    assert abs((now == body.masking.hidden).mean() - 0.8) < 0.03
    assert abs((now == before).mean() - 0.1) < 0.03
    assert now.max() == body.masking.hidden


def test_hidden_tokens_are_learnt_from_those_around_them() -> None:
    torch.manual_seed(0)
    body = T5Body(SHAPE, cls=True)
    objective = MaskedObjective(body, texts(200, 12))
    log = Loop(body, objective, 200, LoopSettings(epochs=15, batch_size=20, learning_rate=0.02)).run()
    assert log[-1]["masked"] < 0.4 * np.log(SHAPE.vocabulary)
    assert log[0]["tokens"] == objective.texts.mask.sum()
