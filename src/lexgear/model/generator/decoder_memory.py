"""Keys and values that the decoder attends to: the text, and the nodes above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

KeysValues = tuple[Tensor, Tensor]
"""Keys and values by head: (batch, heads, positions, width of a head)."""


@dataclass(frozen=True)
class Memory:
    """Encoder output for the decoder: keys and values of every layer, and the padding bias."""

    layers: Sequence[KeysValues]
    bias: Tensor
    """(queries, 1, 1, positions): minus infinity at padding."""

    def row(self, owner: int) -> Memory:
        """Return a view of one query."""
        return self.part(slice(owner, owner + 1))

    def part(self, owners: slice) -> Memory:
        """Return a view of some queries."""
        return Memory([(k[owners], v[owners]) for k, v in self.layers], self.bias[owners])

    def rows(self, owners: Tensor) -> Memory:
        """Return one row per owner; several paths may belong to one query."""
        return Memory([(k[owners], v[owners]) for k, v in self.layers], self.bias[owners])


class Cache:
    """Growing keys and values of one layer; capacity doubles, so that copies are rare."""

    def __init__(self) -> None:
        self.length = 0
        self._room: KeysValues | None = None

    def append(self, keys: Tensor, values: Tensor) -> KeysValues:
        """Append new positions and return all so far: (1, heads, positions, width of a head)."""
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
    """New nodes of one query's tree, their visible ancestors, and the encoded text."""

    size: int
    bias: Tensor
    """(1, heads, new nodes, all nodes): minus infinity at nodes that are not ancestors."""
    cache: Sequence[Cache]
    """One cache per layer."""
    memory: Memory


def padding_bias(mask: Tensor, dtype: torch.dtype) -> Tensor:
    """Return a (batch, positions) mask as a bias on attention scores."""
    bias = torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, -torch.inf)
    return bias[:, None, None, :]
