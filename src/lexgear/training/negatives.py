"""Hard negatives from the model's own index, as ANCE mines them (Xiong et al., ICLR 2021)."""

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
AT_ONCE = 1024
"""Texts that are compared with all documents together: 265 MB of scores for the 64,666 articles of STARD."""


@dataclass(frozen=True)
class ExcludedNegatives:
    """Which documents are no negatives of which texts: what answers them, and the judgments they were drawn from."""

    keys: NDArray[np.int64]
    """text · documents + document, in order."""
    starts: NDArray[np.int64]
    """Where the keys of each text begin, and the end of all."""
    documents: int

    @classmethod
    def of(cls, lists: Sequence[Ints], documents: int) -> ExcludedNegatives:
        """From the positions of the documents that each text spares."""
        rows = [np.unique(np.asarray(row, dtype=np.int64)) for row in lists]
        keys = [row + text * documents for text, row in enumerate(rows)]
        starts = np.cumsum([0, *map(len, rows)])
        return cls(np.concatenate([*keys, np.zeros(0, np.int64)]), starts, documents)

    def among(self, texts: Ints, candidates: Ints) -> NDArray[np.bool_]:
        """(texts, candidates): whether a text spares a document."""
        wanted = texts[:, None] * self.documents + candidates[None, :]
        places = np.minimum(np.searchsorted(self.keys, wanted), max(len(self.keys) - 1, 0))
        return self.keys[places] == wanted if len(self.keys) else np.zeros(wanted.shape, np.bool_)

    def cells(self, begin: int, end: int) -> tuple[Ints, Ints]:
        """The excluded documents of texts that follow each other: rows counted from the first of them, and columns."""
        keys = self.keys[self.starts[begin] : self.starts[end]]
        return keys // self.documents - begin, keys % self.documents


@torch.no_grad()
def mine_negatives(asked: Tensor, documents: Tensor, excluded: ExcludedNegatives, depth: int) -> Tensor:
    """(texts, depth): the documents nearest to each text that it does not spare, −1 where there are no more."""
    depth = min(depth, len(documents))
    found = [torch.zeros(0, depth, dtype=torch.int64, device=asked.device)]
    for begin in range(0, len(asked), AT_ONCE):
        with torch.autocast(asked.device.type, enabled=False):  # bfloat16 would tie too many
            scores = asked[begin : begin + AT_ONCE] @ documents.T
        rows, columns = (to_device(part, asked.device) for part in excluded.cells(begin, begin + len(scores)))
        scores[rows, columns] = -torch.inf
        best = scores.topk(depth, dim=1)
        found.append(best.indices.masked_fill(best.values == -torch.inf, -1))
    return torch.cat(found)


def draw_negatives(mined: Ints, count: int, rng: np.random.Generator) -> Ints:
    """(texts, count) of the mined negatives of each text, the same one perhaps twice; −1 where it has none.

    >>> draw_negatives(np.array([[7, -1], [-1, -1]]), 2, np.random.default_rng(0)).tolist()
    [[7, 7], [-1, -1]]
    """
    available = np.maximum((mined >= 0).sum(1, keepdims=True), 1)
    return np.take_along_axis(mined, rng.integers(0, available, (len(mined), count)), axis=1)
