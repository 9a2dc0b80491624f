"""What the decoder looks at besides its own position: the text, and the nodes above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

KeysValues = tuple[Tensor, Tensor]
"""By head: (batch, heads, positions, width of a head)."""


@dataclass(frozen=True)
class Memory:
    """What the encoder leaves for the decoder: keys and values of every layer, and which positions count."""

    layers: Sequence[KeysValues]
    bias: Tensor
    """(queries, 1, 1, positions): minus infinity at padding."""

    def row(self, owner: int) -> Memory:
        """The memory of one query, nothing copied."""
        return self.part(slice(owner, owner + 1))

    def part(self, owners: slice) -> Memory:
        """The memory of some queries, nothing copied."""
        return Memory([(k[owners], v[owners]) for k, v in self.layers], self.bias[owners])

    def rows(self, owners: Tensor) -> Memory:
        """The memory with a row for each owner: several paths may belong to one query."""
        return Memory([(k[owners], v[owners]) for k, v in self.layers], self.bias[owners])


class Cache:
    """Keys and values of a growing tree, in one layer: room is doubled when needed, so that little is ever copied."""

    def __init__(self) -> None:
        self.length = 0
        self._room: KeysValues | None = None

    def append(self, keys: Tensor, values: Tensor) -> KeysValues:
        """Keeps those of new positions and gives all so far: (1, heads, positions, width of a head)."""
        start, self.length = self.length, self.length + keys.shape[2]
        if self._room is None or self._room[0].shape[2] < self.length:
            more = max(2 * self.length, 64)
            room = tuple(part.new_empty(1, part.shape[1], more, part.shape[3]) for part in (keys, values))
            for new, old in zip(room, self._room or (), strict=False):
                new[:, :, :start] = old[:, :, :start]
            self._room = (room[0], room[1])
        for part, own in zip(self._room, (keys, values), strict=True):
            part[:, :, start : self.length] = own
        return self._room[0][:, :, : self.length], self._room[1][:, :, : self.length]


@dataclass(frozen=True)
class Branch:
    """New nodes of one query's tree, what they see of the nodes before them, and the text they belong to."""

    size: int
    bias: Tensor
    """(1, heads, new nodes, all nodes so far), these included: minus infinity at those that are not above."""
    cache: Sequence[Cache]
    """One a layer."""
    memory: Memory


def padding_bias(mask: Tensor, dtype: torch.dtype) -> Tensor:
    """(batch, positions) of which count, as a bias on attention scores."""
    bias = torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, -torch.inf)
    return bias[:, None, None, :]
