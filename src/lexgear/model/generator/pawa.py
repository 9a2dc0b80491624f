"""Prefix-aware weight-adaptive decoder of NCI (Wang et al., 2022): output weights depend on the ID so far.

In a cluster tree the digit 3 below 0-7 is unrelated to the digit 3 below 5-1, and one row of output weights would have
to represent both. A small layer reads the prefix and yields a matrix M that multiplies the output weights W. Since
h·(M·W) = (h·M)·W, the states are changed instead of a table per node. M = I + U·diag(g(prefix))·V; V starts at zero, so
that the generator starts as the plain one. Unlike in the paper, the layer reads the prefix without the query, so that M
has this form instead of being an arbitrary matrix.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lexgear.docids.trie import Trie
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.generator import EncodedTexts, Generator, Ints
from lexgear.model.t5 import Block, Distances, Linear, Norm, T5Shape, attended_in


class PrefixAdapter(nn.Module):
    """Transformer layer over the symbols of a prefix, and the change of the decoder's states."""

    def __init__(self, shape: T5Shape, symbols: int) -> None:
        super().__init__()
        self.start = nn.Parameter(torch.randn(shape.width))
        self.symbols = nn.Embedding(symbols, shape.width)
        self.block, self.distances = Block(shape, decoder=False), Distances(shape, both_ways=False)
        self.norm = Norm(shape.width)
        self.inward, self.outward = Linear(shape.width, shape.width), Linear(shape.width, shape.width)
        nn.init.zeros_(self.outward.weight)

    def prefixes(self, symbols: Tensor) -> Tensor:
        """Return a vector for every prefix of rows of symbols, the empty one first: (rows, symbols + 1, width)."""
        start = self.start.expand(len(symbols), 1, -1)
        embedded = torch.cat([start, self.symbols(symbols)], dim=1)
        places = torch.arange(embedded.shape[1], device=symbols.device)
        above = torch.ones(len(places), len(places), dtype=torch.bool, device=symbols.device).tril()
        learnt = self.distances(places, places).to(attended_in(embedded))
        bias = learnt.masked_fill(~above, -torch.inf).unsqueeze(0)
        read: Tensor = self.norm(self.block(embedded, bias))
        return read

    def forward(self, states: Tensor, prefixes: Tensor) -> Tensor:
        """Return the states times M of their prefixes; both (…, width)."""
        adapted: Tensor = states + self.outward(prefixes * self.inward(states))
        return adapted


class PawaGenerator(Generator):
    """Generator that adapts its states to the prefix before computing probabilities.

    `whole_tree` takes states directly from the decoder and does not support it: searches have to walk.
    """

    def __init__(self, backbone: Backbone, law_symbols: int, documents: int = 0, *, summary: bool = False) -> None:
        super().__init__(backbone, law_symbols, documents, summary=summary)
        self.adapter = PrefixAdapter(backbone.shape, law_symbols)

    def walk_states(self, read: EncodedTexts, owners: Tensor, paths: Ints, trie: Trie) -> Tensor:
        """Return the states along paths, each adapted to the prefix above its node."""
        states = super().walk_states(read, owners, paths, trie)
        adapted: Tensor = self.adapter(states, self._prefixes(paths[:, :-1], trie))
        return adapted

    def child_log_probs(
        self, states: Tensor, nodes: Ints, trie: Trie, *, children: bool = True
    ) -> list[NDArray[np.float64]]:
        """Return log P of the children of each node, given the unadapted decoder state at each node."""
        lines = [trie.ancestry(node) for node in nodes.tolist()]
        paths = np.full((len(lines), max(map(len, lines), default=0)), -1)
        for path, line in zip(paths, lines, strict=True):
            path[: len(line)] = line
        depths = self._on_device(trie.depth[nodes])
        prefixes = self._prefixes(paths, trie)[torch.arange(len(lines), device=self.device), depths]
        return super().child_log_probs(self.adapter(states, prefixes), nodes, trie, children=children)

    def _prefixes(self, paths: Ints, trie: Trie) -> Tensor:
        """Return vectors of paths; documents and padding (−1) come after all positions that are used."""
        symbols = trie.symbol[np.maximum(paths, 0)]
        inside = np.where((symbols >= 0) & (symbols < self.law_in.num_embeddings), symbols, 0)
        return self.adapter.prefixes(self._on_device(inside))
