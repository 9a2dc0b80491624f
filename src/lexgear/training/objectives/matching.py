"""Contrastive text matching: two parts of one text belong together, parts of two texts do not.

By CoSENT (Su, 2022), as the text2vec models are trained: not that a cosine is large is asked for, but that cosines of
matching pairs are larger than those of all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.training.examples import Examples

SHARPNESS = 20.0
"""What differences of cosines are multiplied with, as in CoSENT."""


def halves(texts: Examples, rng: np.random.Generator) -> tuple[Examples, Examples]:
    """Each text cut in two, somewhere in its middle third; a text of one token is both of its halves."""
    lengths = texts.mask.sum(1)
    cuts = np.maximum(lengths * rng.uniform(1 / 3, 2 / 3, len(lengths)), 1).astype(np.int64)
    starts = np.minimum(cuts, lengths - 1)
    columns = np.arange(texts.mask.shape[1])
    places = np.minimum(starts[:, None] + columns, columns[-1])
    later = Examples(
        np.take_along_axis(texts.numbers, places, axis=1), columns < (lengths - starts)[:, None], texts.leaves
    )
    every = np.arange(len(texts))
    return Examples(texts.numbers, columns < cuts[:, None], texts.leaves).rows(every), later.rows(every)


def cosent(cosines: Tensor) -> Tensor:
    """log(1 + Σ e^λ(wrong − right)) over all pairs of a matching and another pair; the diagonal is what matches."""
    right, scaled = torch.eye(len(cosines), dtype=torch.bool, device=cosines.device), SHARPNESS * cosines
    wrong = scaled.masked_fill(right, -torch.inf).flatten().logsumexp(0)
    return torch.nn.functional.softplus(wrong + (-scaled.diagonal()).logsumexp(0))


@dataclass
class MatchingObjective:
    """Tell which two halves are of one text."""

    encoder: TextEncoder
    texts: Examples
    tokens: int = 0

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """CoSENT over all pairs of halves of a batch."""
        parts = halves(self.texts.rows(batch), rng)
        self.tokens += sum(int(part.mask.sum()) for part in parts)
        first, second = (self.encoder.read(part.numbers, part.mask) for part in parts)
        with torch.autocast(first.device.type, enabled=False):
            return {"matching": cosent(first @ second.T)}
