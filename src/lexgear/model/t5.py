"""T5 encoder and decoder (Raffel et al., 2020; including v1.1 and mT5) whose decoder can score a tree.

The decoder of transformers handles sequences only. Here every decoder position has a depth and attends to its
ancestors, so that one pass scores many branches of the law and shares the encoder's keys and values.
`tests/model/test_t5.py` compares both implementations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from lexgear.model.bert import BertShape
from lexgear.model.generator.decoder_memory import Branch, KeysValues, Memory, padding_bias
from lexgear.model.sizes import check_sizes

NO_LIMIT = 1 << 20
"""Tokens that an encoder with relative positions can read."""


@dataclass(frozen=True, slots=True)
class T5Shape:
    """Sizes of a T5."""

    vocabulary: int
    width: int = 256
    """Width of the hidden states (d_model)."""
    heads: int = 4
    head_width: int = 64
    inner: int = 1024
    """Width of the feed-forward layers (d_ff)."""
    encoder_layers: int = 4
    decoder_layers: int = 2
    buckets: int = 32
    """Buckets of relative distances."""
    far: int = 128
    """Distance beyond which all distances share one bucket."""
    gated: bool = True
    """Gated GELU as in v1.1 and mT5; otherwise ReLU as in the first T5."""
    dropout: float = 0.1
    reader: BertShape | None = None
    """Sizes of a BERT that reads in place of the T5 encoder."""
    own_head: bool = False
    """The text head has weights of its own, as in v1.1 and mT5; otherwise the token embeddings, scaled."""

    @property
    def max_length(self) -> int:
        """Tokens that the encoder can read at most."""
        return self.reader.max_length if self.reader else NO_LIMIT

    def to_row(self) -> dict[str, Any]:
        """Return the sizes as plain values; without a BERT and a head of its own as earlier versions wrote them."""
        return {name: value for name, value in asdict(self).items() if value or name not in ("reader", "own_head")}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """Return the sizes that `to_row` wrote; raise `ValueError` if one of them cannot be."""
        reader = BertShape(**row["reader"]) if row.get("reader") else None
        shape = cls(**{**row, "reader": reader})
        for one in (shape, *([reader] if reader else [])):
            check_sizes(one)
        return shape

    @classmethod
    def from_scratch(
        cls, vocabulary: int, *, width: int, heads: int, encoder_layers: int, decoder_layers: int, dropout: float
    ) -> Self:
        """Return the sizes of a model trained from scratch: heads divide the width, feed-forward layers double it."""
        return cls(
            vocabulary=vocabulary,
            width=width,
            heads=heads,
            head_width=width // heads,
            inner=2 * width,
            encoder_layers=encoder_layers,
            decoder_layers=decoder_layers,
            dropout=dropout,
        )


class Norm(nn.Module):
    """Root-mean-square normalisation, without mean or bias."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, states: Tensor) -> Tensor:
        """Return the normalised states, scaled by the learnt weight."""
        return functional.rms_norm(states, (states.shape[-1],), self.weight, 1e-6)


class Linear(nn.Linear):
    """Linear layer without bias that multiplies few rows on a CPU with a transposed copy of its weights.

    With the layout of nn.Linear, (outputs, inputs), 22 nodes take 27 ms to pass eight layers on one or two threads;
    transposed, 22 ms on one thread and 15 ms on two. From 200 rows on there is no difference.
    """

    FEW = 128

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs, bias=False)
        self._copied: tuple[Any, ...] = ()
        self._copy = torch.empty(0)

    def forward(self, states: Tensor) -> Tensor:
        """Map (…, inputs) to (…, outputs)."""
        few = states.numel() <= self.FEW * self.in_features and not states.is_cuda
        return states @ self._by_inputs() if few and not torch.is_grad_enabled() else super().forward(states)

    def _by_inputs(self) -> Tensor:
        source = (self.weight, self.weight._version, self.weight.data_ptr())
        if self._copied[1:] != source[1:] or self._copied[0] is not self.weight:
            self._copied, self._copy = source, self.weight.detach().T.contiguous()
        return self._copy


class Attention(nn.Module):
    """Unscaled attention with positions as a bias on the scores."""

    def __init__(self, shape: T5Shape) -> None:
        super().__init__()
        self.heads, self.head_width = shape.heads, shape.head_width
        size = shape.heads * shape.head_width
        self.q, self.k, self.v = (Linear(shape.width, size) for _ in range(3))
        self.o = Linear(size, shape.width)
        for layer, scale in ((self.q, shape.head_width), (self.k, 1), (self.v, 1), (self.o, shape.heads)):
            nn.init.normal_(layer.weight, std=(shape.width * scale) ** -0.5)

    def keys_values(self, states: Tensor) -> KeysValues:
        """Return keys and values by head: (batch, heads, positions, width of a head)."""
        return self._by_head(self.k(states)), self._by_head(self.v(states))

    def forward(self, states: Tensor, keys_values: KeysValues, bias: Tensor) -> Tensor:
        """Attend to the values; `bias` is minus infinity at hidden positions."""
        return self.side_by_side(states, [states.shape[1]], [(keys_values, bias)])

    def side_by_side(self, states: Tensor, sizes: list[int], seen: Sequence[tuple[KeysValues, Tensor]]) -> Tensor:
        """Apply `forward` with the first `sizes[0]` states attending to `seen[0]`, the next `sizes[1]` to `seen[1]`,
        …."""
        asked = torch.split(self._by_head(self.q(states)), sizes, dim=2)
        taken = [
            functional.scaled_dot_product_attention(some, keys, values, bias, scale=1.0)
            for some, ((keys, values), bias) in zip(asked, seen, strict=True)
        ]
        together = taken[0] if len(taken) == 1 else torch.cat(taken, dim=2)
        out: Tensor = self.o(together.transpose(1, 2).flatten(2))
        return out

    def _by_head(self, states: Tensor) -> Tensor:
        return states.view(*states.shape[:-1], self.heads, self.head_width).transpose(1, 2)


class FeedForward(nn.Module):
    """Position-wise feed-forward layer."""

    def __init__(self, shape: T5Shape) -> None:
        super().__init__()
        self.gated = shape.gated
        inward = [Linear(shape.width, shape.inner) for _ in range(1 + shape.gated)]
        self.inward = nn.ModuleList(inward)
        self.outward = Linear(shape.inner, shape.width)
        self.dropout = nn.Dropout(shape.dropout)
        for layer in inward:
            nn.init.normal_(layer.weight, std=shape.width**-0.5)
        nn.init.normal_(self.outward.weight, std=shape.inner**-0.5)

    def forward(self, states: Tensor) -> Tensor:
        """Return the transformed states."""
        if self.gated:
            inner = functional.gelu(self.inward[0](states), approximate="tanh") * self.inward[1](states)
        else:
            inner = functional.relu(self.inward[0](states))
        out: Tensor = self.outward(self.dropout(inner))
        return out


class Block(nn.Module):
    """Self-attention, cross-attention (decoder only) and feed-forward layer, each preceded by a norm."""

    def __init__(self, shape: T5Shape, *, decoder: bool) -> None:
        super().__init__()
        self.self_attention, self.self_norm = Attention(shape), Norm(shape.width)
        if decoder:
            self.cross_attention, self.cross_norm = Attention(shape), Norm(shape.width)
        self.feed_forward, self.feed_norm = FeedForward(shape), Norm(shape.width)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(
        self, states: Tensor, bias: Tensor, memory: KeysValues | None = None, padding: Tensor | None = None
    ) -> Tensor:
        """Process all positions; `memory` holds keys and values of the encoder's states, `padding` their bias."""
        normed = self.self_norm(states)
        states = states + self.dropout(self.self_attention(normed, self.self_attention.keys_values(normed), bias))
        if memory is not None and padding is not None:
            states = states + self.dropout(self.cross_attention(self.cross_norm(states), memory, padding))
        return self._fed(states)

    def step(self, states: Tensor, branches: Sequence[Branch], layer: int) -> Tensor:
        """Process new nodes of several queries, concatenated; only attention is computed per query."""
        sizes = [branch.size for branch in branches]
        normed = self.self_norm(states)
        made = zip(*(torch.split(part, sizes, 2) for part in self.self_attention.keys_values(normed)), strict=True)
        above = [(branch.cache[layer].append(*own), branch.bias) for branch, own in zip(branches, made, strict=True)]
        states = states + self.dropout(self.self_attention.side_by_side(normed, sizes, above))
        texts = [(branch.memory.layers[layer], branch.memory.bias) for branch in branches]
        taken = self.cross_attention.side_by_side(self.cross_norm(states), sizes, texts)
        return self._fed(states + self.dropout(taken))

    def _fed(self, states: Tensor) -> Tensor:
        fed: Tensor = states + self.dropout(self.feed_forward(self.feed_norm(states)))
        return fed


class Distances(nn.Module):
    """Learnt attention bias per bucket of relative distance."""

    def __init__(self, shape: T5Shape, *, both_ways: bool) -> None:
        super().__init__()
        self.shape, self.both_ways = shape, both_ways
        self.bias = nn.Embedding(shape.buckets, shape.heads)
        nn.init.normal_(self.bias.weight, std=shape.width**-0.5)

    def forward(self, places: Tensor, others: Tensor) -> Tensor:
        """Return the bias of each place towards each other place: (…, heads, places, others)."""
        apart = others.unsqueeze(-2) - places.unsqueeze(-1)
        learnt: Tensor = self.bias(self._bucket(apart))
        return learnt.movedim(-1, -3)

    def _bucket(self, apart: Tensor) -> Tensor:
        buckets, start = self.shape.buckets, torch.zeros_like(apart)
        if self.both_ways:
            buckets //= 2
            start = (apart > 0).long() * buckets
            apart = apart.abs()
        else:
            apart = (-apart).clamp(min=0)
        near = buckets // 2
        ratio = torch.log(apart.clamp(min=1).float() / near) / math.log(self.shape.far / near)
        wide = (near + (ratio * (buckets - near)).long()).clamp(max=buckets - 1)
        return start + torch.where(apart < near, apart, wide)


class Encoder(nn.Module):
    """T5 encoder."""

    def __init__(self, shape: T5Shape) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(Block(shape, decoder=False) for _ in range(shape.encoder_layers))
        self.distances = Distances(shape, both_ways=True)
        self.norm, self.dropout = Norm(shape.width), nn.Dropout(shape.dropout)

    def forward(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Map embedded tokens, (batch, positions, width), to states."""
        places = torch.arange(embedded.shape[1], device=embedded.device)
        precise = attended_in(embedded)
        return self.through(embedded, self.distances(places, places).to(precise) + padding_bias(mask, precise))

    def through(self, embedded: Tensor, bias: Tensor) -> Tensor:
        """Pass all layers; `bias` is minus infinity at hidden positions."""
        states = self.dropout(embedded)
        for block in _blocks(self):
            states = block(states, bias)
        out: Tensor = self.dropout(self.norm(states))
        return out


class Decoder(nn.Module):
    """T5 decoder over tree positions: each attends to its ancestors, itself and the encoder's states."""

    def __init__(self, shape: T5Shape) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(Block(shape, decoder=True) for _ in range(shape.decoder_layers))
        self.distances = Distances(shape, both_ways=False)
        self.norm, self.dropout = Norm(shape.width), nn.Dropout(shape.dropout)

    def memory(self, states: Tensor, mask: Tensor) -> Memory:
        """Return keys and values of the encoder's states, computed once per query."""
        return Memory(
            [block.cross_attention.keys_values(states) for block in _blocks(self)],
            padding_bias(mask, attended_in(states)),
        )

    def forward(self, embedded: Tensor, depths: Tensor, sees: Tensor, memory: Memory) -> Tensor:
        """Map (batch, positions, width) to states; `sees[i, j]` tells whether position i attends to position j."""
        learnt = self.distances(depths, depths).to(attended_in(embedded))
        bias = learnt.masked_fill(~sees.unsqueeze(-3), -torch.inf)
        states = self.dropout(embedded)
        for block, keys_values in zip(_blocks(self), memory.layers, strict=True):
            states = block(states, bias, keys_values, memory.bias)
        out: Tensor = self.dropout(self.norm(states))
        return out

    def step(self, embedded: Tensor, branches: Sequence[Branch]) -> Tensor:
        """Return the states of new nodes, (nodes, width), ordered by branch, and append their keys to the caches."""
        states = self.dropout(embedded.unsqueeze(0))
        for layer, block in enumerate(_blocks(self)):
            states = block.step(states, branches, layer)
        out: Tensor = self.dropout(self.norm(states)).squeeze(0)
        return out

    def above_bias(self, apart: Tensor) -> Tensor:
        """Return the bias towards ancestors `apart` levels above, (1, heads, nodes, others); −inf if `apart` is −1."""
        levels = torch.arange(int(apart.max()) + 1, device=apart.device)
        learnt = self.distances(levels, levels[:1])[..., 0]
        blind = learnt.new_full((len(learnt), 1), -torch.inf)
        return torch.cat([learnt, blind], dim=1)[:, apart].unsqueeze(0)


def attended_in(states: Tensor) -> torch.dtype:
    """Return the precision of attention; a bias in another one is copied in every layer, 1.3 GB for 256 texts."""
    kind = states.device.type
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else states.dtype


def _blocks(stack: Encoder | Decoder) -> list[Block]:
    return [block for block in stack.blocks if isinstance(block, Block)]
