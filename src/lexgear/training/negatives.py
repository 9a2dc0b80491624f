"""Hard negatives mined from the model's own index, as in ANCE (Xiong et al., ICLR 2021)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.model.device import to_device

Ints = NDArray[Any]
BATCH_SIZE = 1024
"""Texts scored against all documents at once: 265 MB of scores for the 64,666 articles of STARD."""


@dataclass(frozen=True)
class ExcludedNegatives:
    """Documents that must not be negatives of a text: its relevant documents and the judgments it was drawn from."""

    keys: NDArray[np.int64]
    """text · documents + document, ascending."""
    starts: NDArray[np.int64]
    """Start of each text's keys, followed by the number of keys."""
    documents: int

    @classmethod
    def of(cls, lists: Sequence[Ints], documents: int) -> ExcludedNegatives:
        """Build from the positions of the documents to exclude for each text."""
        rows = [np.unique(np.asarray(row, dtype=np.int64)) for row in lists]
        keys = [row + text * documents for text, row in enumerate(rows)]
        starts = np.cumsum([0, *map(len, rows)])
        return cls(np.concatenate([*keys, np.zeros(0, np.int64)]), starts, documents)

    def among(self, texts: Ints, candidates: Ints) -> NDArray[np.bool_]:
        """Return a (texts, candidates) mask of the excluded pairs."""
        wanted = texts[:, None] * self.documents + candidates[None, :]
        places = np.minimum(np.searchsorted(self.keys, wanted), max(len(self.keys) - 1, 0))
        return self.keys[places] == wanted if len(self.keys) else np.zeros(wanted.shape, np.bool_)

    def cells(self, begin: int, end: int) -> tuple[Ints, Ints]:
        """Return the excluded cells of consecutive texts as row and column indices, rows counted from `begin`."""
        keys = self.keys[self.starts[begin] : self.starts[end]]
        return keys // self.documents - begin, keys % self.documents


@torch.no_grad()
def mine_negatives(asked: Tensor, documents: Tensor, excluded: ExcludedNegatives, depth: int) -> Tensor:
    """Return the nearest documents of each text that are not excluded, (texts, depth), padded with −1."""
    depth = min(depth, len(documents))
    found = [torch.zeros(0, depth, dtype=torch.int64, device=asked.device)]
    for begin in range(0, len(asked), BATCH_SIZE):
        with torch.autocast(asked.device.type, enabled=False):  # bfloat16 would produce too many ties
            scores = asked[begin : begin + BATCH_SIZE] @ documents.T
        rows, columns = (to_device(part, asked.device) for part in excluded.cells(begin, begin + len(scores)))
        scores[rows, columns] = -torch.inf
        best = scores.topk(depth, dim=1)
        found.append(best.indices.masked_fill(best.values == -torch.inf, -1))
    return torch.cat(found)


def draw_negatives(mined: Ints, count: int, rng: np.random.Generator) -> Ints:
    """Draw `count` mined negatives per text with replacement; −1 for texts without negatives.

    >>> draw_negatives(np.array([[7, -1], [-1, -1]]), 2, np.random.default_rng(0)).tolist()
    [[7, 7], [-1, -1]]
    """
    available = np.maximum((mined >= 0).sum(1, keepdims=True), 1)
    return np.take_along_axis(mined, rng.integers(0, available, (len(mined), count)), axis=1)
