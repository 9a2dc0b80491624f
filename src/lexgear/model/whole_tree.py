"""Every node of a trie scored for many texts in one pass of the decoder.

A walk asks node by node and leaves most of the tree alone; that is best on a CPU. A GPU waits for each question longer
than it takes to answer all of them: here the law's nodes stand side by side in the decoder, each seeing its ancestors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.docids.trie import Trie
from lexgear.model.generator import Generator, Read

LEAVES_AT_ONCE = 4096
"""Leaves scored in one product: 32 texts of 512 numbers each take 256 MiB."""


class WholeTree:
    """log P of every node for every text of a batch; answers searches as walks do."""

    @torch.inference_mode()
    def __init__(self, generator: Generator, trie: Trie, read: Read, *, children: bool = True) -> None:
        self.trie, layout = trie, _layout(trie, generator.device)
        inputs = generator.node_inputs(layout.nodes, trie) + read.summary.unsqueeze(1)
        states = generator.backbone.decoder(inputs, layout.depths, layout.sees, read.memory)
        steps = _scores(generator, states, layout).double()  # summed down in single, ties would round apart
        if children:
            steps -= _log_sums(steps, layout)[:, layout.parents]
        else:
            steps -= generator.logits(states).logsumexp(-1)[:, layout.above]
        self.log_p: Tensor = _summed_down(steps, layout)
        """(texts, nodes)."""

    def expand(self, asked: Mapping[int, Sequence[int]]) -> dict[int, list[NDArray[np.float64]]]:
        """log P(child | node) for the children of each node, in their order; texts by number."""
        return {text: [self._steps(text, node) for node in nodes] for text, nodes in asked.items()}

    def _steps(self, text: int, node: int) -> NDArray[np.float64]:
        below, log_p = self.trie.children(node), self._at_hand[text]
        return np.asarray(log_p[below.start : below.stop] - log_p[node])

    @cached_property
    def _at_hand(self) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.log_p.cpu().numpy()
        return found


@dataclass(frozen=True, eq=False)
class _Layout:
    """A trie as the decoder needs it: law nodes side by side; arrays over all nodes but the root."""

    nodes: NDArray[Any]
    """The law's nodes, parents first."""
    depths: Tensor
    sees: Tensor
    """(law nodes, law nodes): whether the one is the other or hangs below it."""
    parents: Tensor
    above: Tensor
    """The place of the parent among the law's nodes."""
    symbols: Tensor
    levels: tuple[range, ...]


@lru_cache(maxsize=4)
def _layout(trie: Trie, device: torch.device) -> _Layout:
    nodes = np.flatnonzero(~trie.leaf_mask)
    place = np.cumsum(~trie.leaf_mask) - 1
    sees = np.eye(len(nodes), dtype=np.bool_)
    for row in range(1, len(nodes)):
        sees[row] |= sees[place[trie.parent[nodes[row]]]]
    numbers = (trie.depth[nodes], trie.parent[1:], place[trie.parent[1:]], trie.symbol[1:])
    depths, parents, above, symbols = (torch.from_numpy(part.astype(np.int64)).to(device) for part in numbers)
    return _Layout(nodes, depths, torch.from_numpy(sees).to(device), parents, above, symbols, trie.levels())


def _scores(generator: Generator, states: Tensor, layout: _Layout) -> Tensor:
    """A score for every node but the root: (texts, nodes − 1)."""
    law = generator.law_out.num_embeddings
    scores = states.new_empty(len(states), len(layout.symbols), dtype=torch.float32)
    is_law = layout.symbols < law
    for table, wanted, first in ((generator.law_out, is_law, 0), (generator.documents, ~is_law, law)):
        for some in torch.split(torch.nonzero(wanted).squeeze(1), LEAVES_AT_ONCE):
            products = states[:, layout.above[some]].float() * table(layout.symbols[some] - first).float()
            scores[:, some] = products.sum(-1)
    return scores


def _log_sums(scores: Tensor, layout: _Layout) -> Tensor:
    """For every node the log of the summed exponentials of its children's scores: (texts, nodes)."""
    shape = (len(scores), len(layout.symbols) + 1)
    owners = layout.parents.expand_as(scores)
    best = scores.new_full(shape, -torch.inf).scatter_reduce(1, owners, scores, "amax")
    sums = scores.new_zeros(shape).scatter_add(1, owners, (scores - best[:, layout.parents]).exp())
    return best + sums.log()


def _summed_down(steps: Tensor, layout: _Layout) -> Tensor:
    """log P of the nodes from the log P of the steps to them."""
    log_p = steps.new_zeros(len(steps), len(layout.symbols) + 1)
    for level in layout.levels[1:]:
        here, before = slice(level.start, level.stop), slice(level.start - 1, level.stop - 1)  # the root has no step
        log_p[:, here] = log_p[:, layout.parents[before]] + steps[:, before]
    return log_p
