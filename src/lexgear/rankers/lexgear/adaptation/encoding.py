"""Encoding of texts that are given as token numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from lexgear.model.device import mixed_precision
from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.rankers.lexgear.adaptation.data import Ints

TOKENS_PER_BATCH = 1 << 17
"""Tokens that are encoded at once without gradients."""


class TokenRows:
    """Token numbers of many texts on a device, padded to the longest."""

    def __init__(self, rows: Sequence[Ints], device: torch.device) -> None:
        self.lengths = np.array([max(len(row), 1) for row in rows], dtype=np.int64)
        padded = np.zeros((len(rows), int(self.lengths.max(initial=1))), dtype=np.int32)
        for at, row in enumerate(rows):
            padded[at, : len(row)] = row
        self.tokens, self.device = torch.from_numpy(padded).to(device), device

    def __len__(self) -> int:
        return len(self.lengths)

    def batch(self, numbers: Ints) -> tuple[Tensor, Tensor]:
        """Return tokens and mask of some texts, as long as the longest of them."""
        longest = int(self.lengths[numbers].max())
        lengths = torch.from_numpy(self.lengths[numbers]).to(self.device)
        mask = torch.arange(longest, device=self.device) < lengths.unsqueeze(1)
        return self.tokens[torch.from_numpy(numbers).to(self.device), :longest].long(), mask


@torch.inference_mode()
def batched_vectors(generator: Generator, rows: TokenRows) -> Tensor:
    """Return the unit vector of every text, encoded in batches of texts of about the same length."""
    order = np.argsort(rows.lengths, kind="stable")
    vectors = torch.zeros(len(rows), generator.content.out_features, device=rows.device)
    for some in _batches_by_tokens(order, rows.lengths):
        vectors[torch.from_numpy(some).to(rows.device)] = vectors_of(generator, encode(generator, rows.batch(some)))
    return vectors


def encode(generator: Generator, texts: tuple[Tensor, Tensor]) -> EncodedTexts:
    """Return the encoder states of texts, given as tokens and mask."""
    with mixed_precision(generator.device):
        return generator.read_tensors(*texts)


def vectors_of(generator: Generator, read: EncodedTexts) -> Tensor:
    """Return the vectors of texts in single precision: half of it would blur cosines by a fifth of a temperature."""
    return generator.vectors(replace(read, states=read.states.float()))


def _batches_by_tokens(order: Ints, lengths: Ints) -> Iterator[Ints]:
    """Yield texts, given in the order of their lengths, in batches of a limited number of tokens."""
    start = 0
    while start < len(order):
        size = 1
        while start + size < len(order) and (size + 1) * lengths[order[start + size]] <= TOKENS_PER_BATCH:
            size += 1
        yield order[start : start + size]
        start += size
