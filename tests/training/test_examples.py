"""Training examples: tokens that are left out, and tokens that stay."""

from typing import Any

import numpy as np
import pytest

from lexgear.rankers.dense.bert_family import LawformerSettings
from lexgear.rankers.dense.gdsr import GdsrSettings
from lexgear.rankers.dense.settings import DenseSettings
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.settings import configure, settings_row
from lexgear.training.examples import Examples, drop_tokens

CLS, SEP = 101, 102
LENGTHS = np.array([2, 3, 20, 50])


def framed_texts() -> Examples:
    """Return texts as a BERT reads them: [CLS], different tokens, [SEP], padding."""
    mask = np.arange(50) < LENGTHS[:, None]
    numbers = np.where(mask, np.arange(50) + 1000, 0)
    numbers[:, 0], numbers[np.arange(len(LENGTHS)), LENGTHS - 1] = CLS, SEP
    return Examples(numbers, mask, [np.array([row]) for row in range(len(LENGTHS))])


@pytest.mark.parametrize("share", [0.2, 0.95])
def test_texts_keep_their_first_and_last_token(share: float) -> None:
    for seed in range(20):
        shown = drop_tokens(framed_texts(), share, np.random.default_rng(seed))
        for numbers, mask in zip(shown.numbers, shown.mask, strict=True):
            row = numbers[mask].tolist()
            assert (row[0], row[-1]) == (CLS, SEP)
            assert row[1:-1] == sorted(row[1:-1])
            assert not numbers[~mask].any()


def test_the_share_is_left_out_and_nothing_without_a_share() -> None:
    texts = framed_texts()
    kept = [drop_tokens(texts, 0.2, np.random.default_rng(seed)).mask.sum(1) for seed in range(200)]
    inner = LENGTHS[-1] - 2
    assert np.mean(kept, axis=0)[-1] == pytest.approx(2 + 0.8 * inner, abs=1)
    whole = drop_tokens(texts, 0.0, np.random.default_rng(0))
    assert np.array_equal(whole.numbers, texts.numbers)
    assert np.array_equal(whole.mask, texts.mask)


@pytest.mark.parametrize("settings_type", [DenseSettings, LawformerSettings, GdsrSettings, LexgearSettings])
def test_checkpoints_are_fine_tuned_on_whole_texts(settings_type: type[Any]) -> None:
    assert settings_row(configure(settings_type, backbone="checkpoint"))["token_dropout"] == 0.0
    assert settings_row(configure(settings_type, backbone=""))["token_dropout"] > 0.0


def test_a_text_of_one_token_keeps_it() -> None:
    one = Examples(np.array([[7, 0]]), np.array([[True, False]]), [np.array([0])])
    shown = drop_tokens(one, 0.95, np.random.default_rng(0))
    assert shown.numbers.tolist() == [[7]]
