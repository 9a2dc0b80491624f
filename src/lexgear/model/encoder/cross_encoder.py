"""A model that reads a query and a document together and says how well the one is answered by the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lexgear.model.checkpoints import Backbone
from lexgear.model.device import mixed_precision, to_device, variable_length_attention

Ints = NDArray[Any]
Rows = tuple[Ints, NDArray[np.bool_]]
"""Token numbers, a row a text, and which of them count."""
PAIRS = 128
"""Read at once."""


class Together(NamedTuple):
    """Queries beside documents, a row a pair."""

    numbers: Ints
    mask: NDArray[np.bool_]
    asked: Ints
    """How many tokens of each row are the query."""


class CrossEncoder(nn.Module):
    """A score for a query beside a document, from what the encoder makes of the two together.

    The states of the query and those of the document are averaged apart and multiplied, number by number: from scratch
    a single mean of both learns nothing in the time there is.
    """

    def __init__(self, backbone: Backbone) -> None:
        super().__init__()
        width = backbone.shape.width
        self.embed, self.encoder = backbone.embed, backbone.encoder
        self.query, self.document = nn.Linear(width, width), nn.Linear(width, width)
        self.score = nn.Linear(width, 1)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.score.weight.device

    def forward(self, both: Together) -> Tensor:
        """A score for each pair."""
        seen, lengths = to_device(both.mask, self.device), to_device(both.asked, self.device)
        states = self.encoder(self.embed(to_device(both.numbers.astype(np.int64), self.device)), seen)
        asking = torch.arange(seen.shape[1], device=self.device) < lengths.unsqueeze(1)
        asked, shown = self.query(_mean(states, asking)), self.document(_mean(states, seen & ~asking))
        scores: Tensor = self.score(asked * shown).squeeze(-1).float()
        return scores

    @torch.inference_mode()
    def scores(self, queries: Rows, documents: Rows, sign: int) -> NDArray[np.float32]:
        """A score for each query beside the document of the same place, in batches of a fixed size."""
        found = [np.zeros(0, np.float32)]
        for begin in range(0, len(queries[0]), PAIRS):
            part = slice(begin, begin + PAIRS)
            both = beside((queries[0][part], queries[1][part]), (documents[0][part], documents[1][part]), sign)
            with variable_length_attention(self.device), mixed_precision(self.device):
                found.append(self(both).cpu().numpy())
        return np.concatenate(found)


def beside(queries: Rows, documents: Rows, sign: int) -> Together:
    """Each query, a sign, and its document, in one row without gaps.

    >>> one = np.array([[5, 0]]), np.array([[True, False]])
    >>> beside(one, (np.array([[7, 8]]), np.array([[True, True]])), sign=2).numbers.tolist()
    [[5, 2, 7, 8]]
    """
    between = np.full((len(queries[0]), 1), sign), np.ones((len(queries[0]), 1), dtype=np.bool_)
    numbers, mask = (np.concatenate(part, axis=1) for part in zip(queries, between, documents, strict=True))
    order = np.argsort(~mask, axis=1, kind="stable")
    numbers, mask = (np.take_along_axis(part, order, axis=1) for part in (numbers, mask))
    width = int(mask.sum(1).max(initial=1))
    return Together(numbers[:, :width], mask[:, :width], queries[1].sum(1))


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1)


def best(scores: NDArray[np.float32], kept: int) -> Sequence[Sequence[int]]:
    """The places of the best scores in each row, best first; the first of equals before the others."""
    order: list[list[int]] = np.argsort(-scores, axis=1, kind="stable")[:, :kept].tolist()
    return order
