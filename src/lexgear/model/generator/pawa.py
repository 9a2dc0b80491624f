"""Prefix-aware weight-adaptive decoder of NCI (Wang et al., 2022): output weights depend on query and prefix.

In a cluster tree the digit 3 below 0-7 is unrelated to the digit 3 below 5-1, and one row of output weights would have
to represent both. A second, smaller decoder reads the prefix, whose digits are distinct per level, and attends to the
encoder's states of the query; its state at step i yields a matrix M_i, and the output weights W_i become M_i·W_i. Since
h·(M·W) = (h·M)·W, the states are changed instead of a table per node. M = I + U·diag(a)·V, where a is the state of
the adaptive decoder: an arbitrary matrix would need as many outputs as the square of the width. V starts at zero, so
that the generator starts as the plain one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from lexgear.docids.trie import Trie
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.decoder_memory import Memory
from lexgear.model.generator.generator import EncodedTexts, Generator, Ints
from lexgear.model.t5 import Decoder, Linear, T5Shape

ADAPTIVE_LAYERS = 4
"""Layers of the adaptive decoder, as published; no more than the main decoder has."""


@dataclass(frozen=True)
class AdaptedTexts(EncodedTexts):
    """Encoded batch of texts, which the adaptive decoder attends to as well."""

    adapter_memory: Memory

    def part(self, texts: slice) -> AdaptedTexts:
        """Return a view of some texts."""
        plain = super().part(texts)
        return AdaptedTexts(plain.states, plain.mask, plain.memory, plain.summary, self.adapter_memory.part(texts))


class PrefixAdapter(nn.Module):
    """Decoder over the symbols of a prefix and the query, and the change that it makes to the main decoder's states."""

    def __init__(self, shape: T5Shape, symbols: int) -> None:
        super().__init__()
        self.start = nn.Parameter(torch.randn(shape.width))
        self.prefix = nn.Embedding(symbols, shape.width)
        self.decoder = Decoder(replace(shape, decoder_layers=min(ADAPTIVE_LAYERS, shape.decoder_layers)))
        self.inward, self.outward = Linear(shape.width, shape.width), Linear(shape.width, shape.width)
        nn.init.zeros_(self.outward.weight)

    def prefixes(self, symbols: Tensor, memory: Memory) -> Tensor:
        """Return a vector for every prefix of rows of symbols, the empty one first: (rows, symbols + 1, width).

        `memory` holds the text of each row.
        """
        embedded = torch.cat([self.start.expand(len(symbols), 1, -1), self.prefix(symbols)], dim=1)
        depths = torch.arange(embedded.shape[1], device=symbols.device)
        sees = torch.ones(len(depths), len(depths), dtype=torch.bool, device=symbols.device).tril()
        read: Tensor = self.decoder(embedded, depths, sees, memory)
        return read

    def forward(self, states: Tensor, prefixes: Tensor) -> Tensor:
        """Return the states times M of their prefixes; both (…, width)."""
        adapted: Tensor = states + self.outward(prefixes * self.inward(states))
        return adapted


class PawaGenerator(Generator):
    """Generator that adapts its states to the query and the prefix before computing probabilities.

    `whole_tree` takes states directly from the decoder and does not support it: searches have to walk.
    """

    def __init__(self, backbone: Backbone, law_symbols: int, documents: int = 0, *, summary: bool = False) -> None:
        super().__init__(backbone, law_symbols, documents, summary=summary)
        self.adapter = PrefixAdapter(backbone.shape, law_symbols)

    def _encoded(self, states: Tensor, seen: Tensor) -> AdaptedTexts:
        plain = super()._encoded(states, seen)
        memory = self.adapter.decoder.memory(states, seen)
        return AdaptedTexts(plain.states, plain.mask, plain.memory, plain.summary, memory)

    def walk_states(self, read: EncodedTexts, owners: Tensor, paths: Ints, trie: Trie) -> Tensor:
        """Return the states along paths, each adapted to its text and to the prefix above its node."""
        states = super().walk_states(read, owners, paths, trie)
        adapted: Tensor = self.adapter(states, self._prefixes(read, owners, paths[:, :-1], trie))
        return adapted

    def node_states(self, states: Tensor, nodes: Ints, read: Sequence[EncodedTexts], trie: Trie) -> Tensor:
        """Return the decoder's states at nodes, adapted to the text and to the prefix of each node."""
        lines = [trie.ancestry(node) for node in nodes.tolist()]
        depths, adapted = self._on_device(trie.depth[nodes]), torch.empty_like(states)
        for text in dict.fromkeys(map(id, read)):
            rows = [row for row, one in enumerate(read) if id(one) == text]
            paths = np.full((len(rows), max(len(lines[row]) for row in rows)), -1)
            for path, row in zip(paths, rows, strict=True):
                path[: len(lines[row])] = lines[row]
            owners = torch.zeros(len(rows), dtype=torch.int64, device=self.device)
            prefixes = self._prefixes(read[rows[0]], owners, paths, trie)
            adapted[rows] = self.adapter(states[rows], prefixes[torch.arange(len(rows)), depths[rows]])
        return adapted

    def _prefixes(self, read: EncodedTexts, owners: Tensor, paths: Ints, trie: Trie) -> Tensor:
        """Return vectors of paths; documents and padding (−1) come after all positions that are used."""
        assert isinstance(read, AdaptedTexts)
        symbols = trie.symbol[np.maximum(paths, 0)]
        inside = np.where((symbols >= 0) & (symbols < self.law_in.num_embeddings), symbols, 0)
        return self.adapter.prefixes(self._on_device(inside), read.adapter_memory.rows(owners))
