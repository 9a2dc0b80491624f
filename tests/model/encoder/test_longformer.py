"""Sliding-window attention: near tokens and the first token are visible, nothing else."""

import torch
from torch import Tensor

from lexgear.model.encoder.longformer import WindowedEncoder, sees
from lexgear.model.t5 import Encoder, T5Shape

SHAPE = T5Shape(50, width=8, heads=2, head_width=4, inner=16, encoder_layers=1, dropout=0.0)
LENGTH, WINDOW = 12, 2
EVERYTHING = torch.ones(1, LENGTH, dtype=torch.bool)


def changed(encoder: Encoder, place: int) -> list[int]:
    """Return the positions whose state changes with the token at a position, in a model of one layer."""
    texts = torch.randn(1, LENGTH, SHAPE.width, generator=torch.Generator().manual_seed(1))
    other = texts.clone()
    other[0, place] += 3.0
    states: list[Tensor] = [encoder(text, EVERYTHING).detach()[0] for text in (texts, other)]
    return [at for at in range(LENGTH) if not torch.allclose(states[0][at], states[1][at], atol=1e-6)]


def test_a_token_outside_the_window_changes_nothing_but_the_first_which_sees_all() -> None:
    torch.manual_seed(0)
    encoder = WindowedEncoder(SHAPE, WINDOW).eval()
    assert changed(encoder, 7) == [0, 5, 6, 7, 8, 9]
    assert changed(encoder, 11) == [0, 9, 10, 11]


def test_the_first_token_is_seen_by_all() -> None:
    torch.manual_seed(0)
    assert changed(WindowedEncoder(SHAPE, WINDOW).eval(), 0) == list(range(LENGTH))


def test_without_a_window_every_token_changes_every_other() -> None:
    torch.manual_seed(0)
    assert changed(Encoder(SHAPE).eval(), 7) == list(range(LENGTH))


def test_a_window_as_wide_as_the_text_is_full_attention() -> None:
    torch.manual_seed(0)
    windowed, full = WindowedEncoder(SHAPE, LENGTH).eval(), Encoder(SHAPE).eval()
    full.load_state_dict(windowed.state_dict())
    texts = torch.randn(2, LENGTH, SHAPE.width)
    mask = torch.arange(LENGTH) < torch.tensor([[LENGTH], [5]])
    torch.testing.assert_close(windowed(texts, mask)[mask], full(texts, mask)[mask])


def test_padding_changes_no_state_of_the_text() -> None:
    torch.manual_seed(0)
    encoder = WindowedEncoder(SHAPE, WINDOW).eval()
    texts = torch.randn(1, LENGTH, SHAPE.width)
    short = encoder(texts[:, :6], EVERYTHING[:, :6])
    long = encoder(texts, torch.arange(LENGTH).unsqueeze(0) < 6)
    torch.testing.assert_close(long[:, :6], short)
    assert torch.isfinite(long).all()


def test_who_sees_whom_is_the_same_both_ways() -> None:
    seen = sees(torch.arange(LENGTH), WINDOW)
    assert torch.equal(seen, seen.T)
