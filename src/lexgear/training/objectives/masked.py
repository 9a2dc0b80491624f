"""Masked language modelling objective of BERT (Devlin et al., NAACL 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.model.device import to_device
from lexgear.model.encoder.bodies import Masking, T5Body
from lexgear.training.examples import Examples

Ints = NDArray[Any]
KEPT, REPLACED = 0.1, 0.1
"""Shares of the target tokens that stay unchanged or are replaced at random, because queries contain no masks."""


@dataclass(frozen=True)
class Masked:
    """Masked texts and the positions to predict."""

    numbers: Ints
    wanted: NDArray[np.bool_]


class Guesser(Protocol):
    """Protocol of a model that guesses masked tokens."""

    def guesses(self, states: Tensor) -> Tensor:
        """Return logits over the vocabulary for states of masked positions."""


def maskable(texts: Examples, masking: Masking) -> NDArray[np.bool_]:
    """Return which tokens may be masked: those of the text, without special ones."""
    return texts.mask & ~np.isin(texts.numbers, masking.special)


def mask_tokens(texts: Examples, share: float, masking: Masking, rng: np.random.Generator) -> Masked:
    """Mask a random share of each text's tokens, at least one per text."""
    allowed = maskable(texts, masking)
    draws = np.where(allowed, rng.random(texts.mask.shape), 2.0)
    wanted = draws < share
    wanted |= (draws == draws.min(1, keepdims=True)) & allowed
    how = rng.random(texts.mask.shape)
    others = rng.integers(0, masking.vocabulary, texts.mask.shape)
    shown = np.where(how < REPLACED, others, np.where(how < REPLACED + KEPT, texts.numbers, masking.hidden))
    return Masked(np.where(wanted, shown, texts.numbers), wanted)


def masked_nll(model: Guesser, states: Tensor, texts: Examples, wanted: NDArray[np.bool_]) -> Tensor:
    """Return the mean −log P of the masked tokens, given the states at all positions."""
    rows, columns = (to_device(place, states.device) for place in np.nonzero(wanted))
    targets = to_device(texts.numbers[wanted].astype(np.int64), states.device)
    return functional.cross_entropy(model.guesses(states[rows, columns]).float(), targets)


@dataclass
class MaskedObjective:
    """Masked language modelling."""

    body: T5Body
    texts: Examples
    share: float = 0.15
    tokens: int = 0

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the mean −log P of the masked tokens."""
        texts = self.texts.rows(batch)
        shown = mask_tokens(texts, self.share, self.body.masking, rng)
        self.tokens += int(texts.mask.sum())
        device = self.body.embed.weight.device
        states = self.body.states(to_device(shown.numbers.astype(np.int64), device), to_device(texts.mask, device))
        return {"masked": masked_nll(self.body, states[:, self.body.added :], texts, shown.wanted)}
