"""A decoder whose output weights follow from the ID so far: prefix-aware and weight-adaptive (Wang et al., 2022).

In a tree of clusters the digit 3 below 0-7 has nothing to do with the digit 3 below 5-1, and one row of output weights
for both would have to mean both. A small layer reads the prefix alone and makes a matrix M of it that output weights W
are multiplied with. h·(M·W) is (h·M)·W, so that it is the states that are changed here, not a table for each node.
M = I + U·diag(g(prefix))·V; V is zero at first, so that a generator starts as the plain one.

What differs from the paper: the layer reads the prefix without the query, so that M is of that form and not any matrix.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lexgear.docids.trie import Trie
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.generator import Generator, Ints, Read
from lexgear.model.t5 import Block, Distances, Linear, Norm, T5Shape, attended_in


class PrefixAdapter(nn.Module):
    """One transformer layer over the symbols of a prefix, and what it does to the decoder's states."""

    def __init__(self, shape: T5Shape, symbols: int) -> None:
        super().__init__()
        self.start = nn.Parameter(torch.randn(shape.width))
        self.symbols = nn.Embedding(symbols, shape.width)
        self.block, self.distances = Block(shape, decoder=False), Distances(shape, both_ways=False)
        self.norm = Norm(shape.width)
        self.inward, self.outward = Linear(shape.width, shape.width), Linear(shape.width, shape.width)
        nn.init.zeros_(self.outward.weight)

    def prefixes(self, symbols: Tensor) -> Tensor:
        """A vector for every beginning of rows of symbols, the empty one first: (rows, symbols + 1, width)."""
        start = self.start.expand(len(symbols), 1, -1)
        embedded = torch.cat([start, self.symbols(symbols)], dim=1)
        places = torch.arange(embedded.shape[1], device=symbols.device)
        above = torch.ones(len(places), len(places), dtype=torch.bool, device=symbols.device).tril()
        learnt = self.distances(places, places).to(attended_in(embedded))
        bias = learnt.masked_fill(~above, -torch.inf).unsqueeze(0)
        read: Tensor = self.norm(self.block(embedded, bias))
        return read

    def forward(self, states: Tensor, prefixes: Tensor) -> Tensor:
        """The states times M of their prefixes; both (…, width)."""
        adapted: Tensor = states + self.outward(prefixes * self.inward(states))
        return adapted


class PawaGenerator(Generator):
    """A generator that adapts its states at a node by the way there, wherever they become probabilities.

    Not in `whole_tree`, which takes states from the decoder itself: searches have to walk.
    """

    def __init__(self, backbone: Backbone, law_symbols: int, documents: int = 0, *, summary: bool = False) -> None:
        super().__init__(backbone, law_symbols, documents, summary=summary)
        self.adapter = PrefixAdapter(backbone.shape, law_symbols)

    def walk_states(self, read: Read, owners: Tensor, paths: Ints, trie: Trie) -> Tensor:
        """The plain states of a walk, each adapted by the path above its node."""
        states = super().walk_states(read, owners, paths, trie)
        adapted: Tensor = self.adapter(states, self._prefixes(paths[:, :-1], trie))
        return adapted

    def child_log_probs(
        self, states: Tensor, nodes: Ints, trie: Trie, *, children: bool = True
    ) -> list[NDArray[np.float64]]:
        """log P of the children of each node, given the plain state of the decoder at each node."""
        lines = [trie.ancestry(node) for node in nodes.tolist()]
        ways = np.full((len(lines), max(map(len, lines), default=0)), -1)
        for way, line in zip(ways, lines, strict=True):
            way[: len(line)] = line
        depths = self._on_device(trie.depth[nodes])
        prefixes = self._prefixes(ways, trie)[torch.arange(len(lines), device=self.device), depths]
        return super().child_log_probs(self.adapter(states, prefixes), nodes, trie, children=children)

    def _prefixes(self, ways: Ints, trie: Trie) -> Tensor:
        """Vectors of ways down the trie; what stands for a document or after an end (−1) is below all that counts."""
        symbols = trie.symbol[np.maximum(ways, 0)]
        inside = np.where((symbols >= 0) & (symbols < self.law_in.num_embeddings), symbols, 0)
        return self.adapter.prefixes(self._on_device(inside))
