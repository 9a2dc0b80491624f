"""Text matching: halves of a text, and the CoSENT loss."""

import numpy as np
import pytest
import torch

from lexgear.model.encoder.bodies import T5Body
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.model.t5 import T5Shape
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop, LoopSettings
from lexgear.training.objectives.matching import SHARPNESS, MatchingObjective, cosent, split_halves

CHANCE = np.random.default_rng(0)
LENGTHS = np.array([1, 2, 3, 10, 17])
MASK = np.arange(17) < LENGTHS[:, None]
TEXTS = Examples(np.where(MASK, np.arange(1, 18), 0), MASK, [np.zeros(0, np.int64)] * len(LENGTHS))


def test_two_halves_are_the_whole_text_and_neither_is_empty() -> None:
    for seed in range(20):
        first, second = split_halves(TEXTS, np.random.default_rng(seed))
        for row, length in enumerate(LENGTHS):
            parts = [part.numbers[row][part.mask[row]].tolist() for part in (first, second)]
            assert all(parts)
            if length > 1:
                assert [*parts[0], *parts[1]] == list(range(1, length + 1))
            if length > 9:
                assert min(map(len, parts)) >= length // 3


def test_both_halves_keep_the_special_tokens_of_a_text() -> None:
    lengths = np.array([2, 3, 4, 12])
    mask = np.arange(12) < lengths[:, None]
    numbers = np.where(mask, np.arange(12), 0)
    numbers[:, 0], numbers[np.arange(4), lengths - 1] = 101, 102
    texts = Examples(numbers, mask, [np.zeros(0, np.int64)] * 4)
    for seed in range(20):
        halves = split_halves(texts, np.random.default_rng(seed), (1, 1))
        for row, length in enumerate(lengths):
            parts = [half.numbers[row][half.mask[row]].tolist() for half in halves]
            assert [(part[0], part[-1]) for part in parts] == [(101, 102)] * 2
            inside = [*parts[0][1:-1], *parts[1][1:-1]]
            assert inside == ([1, 1] if length == 3 else list(range(1, length - 1)))


def test_cosent_compares_every_matching_pair_with_every_other() -> None:
    cosines = torch.tensor([[0.9, 0.1, 0.3], [0.2, 0.5, 0.0], [0.4, -0.1, 0.8]])
    total = 1 + sum(
        np.exp(SHARPNESS * (cosines[row, column] - cosines[right, right]).item())
        for right in range(3)
        for row in range(3)
        for column in range(3)
        if row != column
    )
    assert cosent(cosines).item() == pytest.approx(np.log(total), rel=1e-5)


def test_halves_of_one_text_come_to_lie_together() -> None:
    torch.manual_seed(0)
    encoder = TextEncoder(T5Body(T5Shape(180, width=16, heads=2, head_width=8, inner=32, encoder_layers=1)), "mean")
    numbers = 3 * np.arange(60)[:, None] + CHANCE.integers(0, 3, (60, 16))
    objective = MatchingObjective(encoder, Examples(numbers, np.ones((60, 16), np.bool_), [np.zeros(0)] * 60))
    log = Loop(encoder, objective, 60, LoopSettings(epochs=10, batch_size=15, learning_rate=0.02)).run()
    assert log[-1]["matching"] < 0.5 * log[0]["matching"]
    assert log[0]["tokens"] == 60 * 16
