"""Cross-encoder: a relevance score for a query and a document read together."""

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
"""Token ids, one row per text, and their mask."""
BATCH_SIZE = 128
"""Pairs scored at once."""


class JoinedPairs(NamedTuple):
    """Query-document pairs, one row per pair."""

    numbers: Ints
    mask: NDArray[np.bool_]
    asked: Ints
    """Query tokens per row."""


class CrossEncoder(nn.Module):
    """Relevance score of a query-document pair.

    The mean states of query and document are multiplied element by element; a single mean over both learns nothing in
    the available time when training from scratch.
    """

    def __init__(self, backbone: Backbone) -> None:
        super().__init__()
        width = backbone.shape.width
        self.embed, self.encoder = backbone.embed, backbone.encoder
        self.query, self.document = nn.Linear(width, width), nn.Linear(width, width)
        self.score = nn.Linear(width, 1)

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return self.score.weight.device

    def forward(self, both: JoinedPairs) -> Tensor:
        """Return one score per pair."""
        seen, lengths = to_device(both.mask, self.device), to_device(both.asked, self.device)
        states = self.encoder(self.embed(to_device(both.numbers.astype(np.int64), self.device)), seen)
        asking = torch.arange(seen.shape[1], device=self.device) < lengths.unsqueeze(1)
        asked, shown = self.query(_mean(states, asking)), self.document(_mean(states, seen & ~asking))
        scores: Tensor = self.score(asked * shown).squeeze(-1).float()
        return scores

    @torch.inference_mode()
    def scores(self, queries: Rows, documents: Rows, separator: int) -> NDArray[np.float32]:
        """Score each query with the document at the same position, in batches of a fixed size."""
        found = [np.zeros(0, np.float32)]
        for begin in range(0, len(queries[0]), BATCH_SIZE):
            part = slice(begin, begin + BATCH_SIZE)
            both = join_pairs((queries[0][part], queries[1][part]), (documents[0][part], documents[1][part]), separator)
            with variable_length_attention(self.device), mixed_precision(self.device):
                found.append(self(both).cpu().numpy())
        return np.concatenate(found)


def join_pairs(queries: Rows, documents: Rows, separator: int) -> JoinedPairs:
    """Concatenate each query, a separator and its document in one row without gaps.

    >>> one = np.array([[5, 0]]), np.array([[True, False]])
    >>> join_pairs(one, (np.array([[7, 8]]), np.array([[True, True]])), separator=2).numbers.tolist()
    [[5, 2, 7, 8]]
    """
    between = np.full((len(queries[0]), 1), separator), np.ones((len(queries[0]), 1), dtype=np.bool_)
    numbers, mask = (np.concatenate(part, axis=1) for part in zip(queries, between, documents, strict=True))
    order = np.argsort(~mask, axis=1, kind="stable")
    numbers, mask = (np.take_along_axis(part, order, axis=1) for part in (numbers, mask))
    width = int(mask.sum(1).max(initial=1))
    return JoinedPairs(numbers[:, :width], mask[:, :width], queries[1].sum(1))


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1)


def best(scores: NDArray[np.float32], kept: int) -> Sequence[Sequence[int]]:
    """Return the positions of the highest scores of each row, best first; ties keep their order."""
    order: list[list[int]] = np.argsort(-scores, axis=1, kind="stable")[:, :kept].tolist()
    return order
