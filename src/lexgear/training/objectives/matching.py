"""Contrastive text matching with CoSENT: halves of one text match, halves of different texts do not.

CoSENT (Su, 2022) trains the text2vec models: it asks that cosines of matching pairs exceed those of all other pairs,
not that they are large.
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
"""Scale of cosine differences, as in CoSENT."""


def split_halves(texts: Examples, rng: np.random.Generator) -> tuple[Examples, Examples]:
    """Split each text at a random point of its middle third; a text of one token is used as both halves."""
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
    """Return log(1 + Σ e^λ(wrong − right)) over all combinations of a matching pair (diagonal) and another pair."""
    right, scaled = torch.eye(len(cosines), dtype=torch.bool, device=cosines.device), SHARPNESS * cosines
    wrong = scaled.masked_fill(right, -torch.inf).flatten().logsumexp(0)
    return torch.nn.functional.softplus(wrong + (-scaled.diagonal()).logsumexp(0))


@dataclass
class MatchingObjective:
    """Match the two halves of each text."""

    encoder: TextEncoder
    texts: Examples
    tokens: int = 0

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the CoSENT loss over all pairs of halves."""
        parts = split_halves(self.texts.rows(batch), rng)
        self.tokens += sum(int(part.mask.sum()) for part in parts)
        first, second = (self.encoder.read(part.numbers, part.mask) for part in parts)
        with torch.autocast(first.device.type, enabled=False):
            return {"matching": cosent(first @ second.T)}
