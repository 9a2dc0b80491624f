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


def split_halves(
    texts: Examples, rng: np.random.Generator, frame: tuple[int, int] = (0, 0)
) -> tuple[Examples, Examples]:
    """Split each text at a random point of its middle third; a text of one token is used as both halves.

    `frame` is the number of special tokens at the beginning and at the end of a text; both halves keep them.
    """
    before, after = frame
    lengths = texts.mask.sum(1)[:, None]
    ends = lengths - after
    shares = rng.uniform(1 / 3, 2 / 3, len(lengths))[:, None]
    cuts = np.minimum(before + np.maximum((ends - before) * shares, 1).astype(np.int64), ends)
    starts = np.maximum(np.minimum(cuts, ends - 1), before)
    columns = np.arange(texts.mask.shape[1])
    first = _taken(texts, np.where(columns < cuts, columns, columns - cuts + ends), cuts + after)
    second = _taken(texts, np.where(columns < before, columns, columns - before + starts), lengths - starts + before)
    return first, second


def _taken(texts: Examples, places: NDArray[np.int64], lengths: NDArray[np.int64]) -> Examples:
    """Return the tokens at some places of each text, as many as its length."""
    columns = np.arange(texts.mask.shape[1])
    numbers = np.take_along_axis(texts.numbers, np.minimum(places, columns[-1]), axis=1)
    return Examples(numbers, columns < lengths, texts.leaves).rows(np.arange(len(texts)))


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
    frame: tuple[int, int] = (0, 0)
    """Special tokens at the beginning and at the end of a text."""
    tokens: int = 0

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the CoSENT loss over all pairs of halves."""
        parts = split_halves(self.texts.rows(batch), rng, self.frame)
        self.tokens += sum(int(part.mask.sum()) for part in parts)
        first, second = (self.encoder.read(part.numbers, part.mask) for part in parts)
        with torch.autocast(first.device.type, enabled=False):
            return {"matching": cosent(first @ second.T)}
