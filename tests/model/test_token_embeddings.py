import numpy as np

from lexgear.model.token_embeddings import token_vectors

CHANCE = np.random.default_rng(1)
TOPIC = CHANCE.integers(0, 3, 60)
NUMBERS = 5 * TOPIC[:, None] + CHANCE.integers(0, 5, (60, 8))
"""Texts of three topics; tokens 0–4, 5–9 and 10–14 belong to one topic each, 15 to 19 do not occur."""
MASK = np.ones_like(NUMBERS, dtype=np.bool_)


def test_tokens_of_the_same_texts_lie_side_by_side() -> None:
    vectors = token_vectors(NUMBERS, MASK, 20, 8, seed=0)
    near = vectors @ vectors.T / 8
    assert near[:5, :5].mean() > 0.5
    assert np.abs(near[:5, 5:15]).mean() < 0.1
    assert np.allclose(np.linalg.norm(vectors[:15], axis=1), 8**0.5, atol=1e-3)


def test_tokens_that_stand_nowhere_are_drawn_by_the_seed() -> None:
    one, same, other = (token_vectors(NUMBERS, MASK, 20, 8, seed=seed) for seed in (0, 0, 1))
    assert np.array_equal(one, same)
    assert not np.array_equal(one[15:], other[15:])
    assert np.array_equal(one[:15], other[:15])


def test_padding_says_nothing() -> None:
    mask = MASK.copy()
    mask[:, 4:] = False
    numbers = np.where(mask, NUMBERS, 17)
    assert np.array_equal(
        token_vectors(numbers, mask, 20, 8, seed=0), token_vectors(NUMBERS[:, :4], MASK[:, :4], 20, 8, seed=0)
    )


def test_texts_too_few_to_tell_anything_give_noise() -> None:
    assert token_vectors(NUMBERS[:1], MASK[:1], 20, 8, seed=0).shape == (20, 8)
