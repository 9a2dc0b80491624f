"""Scores of all nodes of a trie for many texts in one decoder pass.

A walk scores only the requested nodes, which is best on a CPU. On a GPU each request takes longer than scoring the
whole tree: here all law nodes pass the decoder side by side, each attending to its ancestors.
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
from lexgear.model.generator.generator import EncodedTexts, Generator

LEAVES_AT_ONCE = 4096
"""Leaves scored in one product: 32 texts of 512 numbers each take 256 MiB."""


class WholeTree:
    """log P of every node for every text of a batch; serves searches like a walk."""

    def __init__(self, generator: Generator, trie: Trie, read: EncodedTexts, *, children: bool = True) -> None:
        self.trie = trie
        self.log_p: Tensor = whole_log_p(generator, trie, read, children=children)
        """(texts, nodes)."""

    def expand(self, asked: Mapping[int, Sequence[int]]) -> dict[int, list[NDArray[np.float64]]]:
        """Return log P(child | node) for the children of each node, in order; texts by number."""
        return {text: [self._steps(text, node) for node in nodes] for text, nodes in asked.items()}

    def _steps(self, text: int, node: int) -> NDArray[np.float64]:
        below, log_p = self.trie.children(node), self._at_hand[text]
        return np.asarray(log_p[below.start : below.stop] - log_p[node])

    @cached_property
    def _at_hand(self) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.log_p.cpu().numpy()
        return found


@torch.inference_mode()
def whole_log_p(generator: Generator, trie: Trie, read: EncodedTexts, *, children: bool = True) -> Tensor:
    """Return `tree_log_p` without gradients."""
    return tree_log_p(generator, trie, read, children=children)


def tree_log_p(generator: Generator, trie: Trie, read: EncodedTexts, *, children: bool = True) -> Tensor:
    """Return log P of every node for every text, (texts, nodes); documents only if they have symbols.

    It never synchronises with the GPU, so that it can be captured in a CUDA graph.
    """
    layout = _layout(trie, generator.law_out.num_embeddings, generator.device)
    inputs = torch.cat([generator.start.unsqueeze(0), generator.law_in(layout.inner)]) + read.summary.unsqueeze(1)
    states = generator.backbone.decoder(inputs, layout.depths, layout.sees, read.memory)
    steps = _scores(
        generator, states, layout
    ).double()  # in single precision, sums along the path would break ties by rounding
    if children:
        steps = steps - _log_sums(steps, layout)[:, layout.parents]
    else:
        steps = steps - generator.logits(states).logsumexp(-1)[:, layout.above]
    return _summed_down(steps, layout)


@dataclass(frozen=True, eq=False)
class _Layout:
    """Trie as the decoder needs it: law nodes side by side; arrays over all nodes but the root."""

    inner: Tensor
    """Symbols of the law nodes except the root, parents first."""
    depths: Tensor
    sees: Tensor
    """(law nodes, law nodes): whether the column is the row's node or an ancestor of it."""
    parents: Tensor
    above: Tensor
    """Index of the parent among the law nodes."""
    symbols: Tensor
    law: Tensor
    """Indices of law nodes among all nodes but the root."""
    documents: Tensor
    levels: tuple[range, ...]


@lru_cache(maxsize=4)
def _layout(trie: Trie, law_symbols: int, device: torch.device) -> _Layout:
    nodes = np.flatnonzero(~trie.leaf_mask)
    place = np.cumsum(~trie.leaf_mask) - 1
    sees = np.eye(len(nodes), dtype=np.bool_)
    for row in range(1, len(nodes)):
        sees[row] |= sees[place[trie.parent[nodes[row]]]]
    is_law = trie.symbol[1:] < law_symbols

    def there(numbers: NDArray[Any]) -> Tensor:
        return torch.from_numpy(numbers.astype(np.int64)).to(device)

    return _Layout(
        inner=there(trie.symbol[nodes[1:]]),
        depths=there(trie.depth[nodes]),
        sees=torch.from_numpy(sees).to(device),
        parents=there(trie.parent[1:]),
        above=there(place[trie.parent[1:]]),
        symbols=there(trie.symbol[1:]),
        law=there(np.flatnonzero(is_law)),
        documents=there(np.flatnonzero(~is_law)),
        levels=trie.levels(),
    )


def _scores(generator: Generator, states: Tensor, layout: _Layout) -> Tensor:
    """Return a score for every node but the root: (texts, nodes − 1)."""
    law = generator.law_out.num_embeddings
    scores = states.new_zeros(len(states), len(layout.symbols), dtype=torch.float32)
    learnt = layout.documents if generator.documents.num_embeddings else layout.documents[:0]
    for table, wanted, first in ((generator.law_out, layout.law, 0), (generator.documents, learnt, law)):
        for some in torch.split(wanted, LEAVES_AT_ONCE):
            products = states[:, layout.above[some]].float() * table(layout.symbols[some] - first).float()
            scores[:, some] = products.sum(-1)
    return scores


def _log_sums(scores: Tensor, layout: _Layout) -> Tensor:
    """Return the log-sum-exp of the children's scores for every node: (texts, nodes)."""
    shape = (len(scores), len(layout.symbols) + 1)
    owners = layout.parents.expand_as(scores)
    best = scores.new_full(shape, -torch.inf).scatter_reduce(1, owners, scores.detach(), "amax")
    sums = scores.new_zeros(shape).scatter_add(1, owners, (scores - best[:, layout.parents]).exp())
    return best + sums.log()


def _summed_down(steps: Tensor, layout: _Layout) -> Tensor:
    """Return log P of the nodes from the log P of their steps."""
    log_p = steps.new_zeros(len(steps), len(layout.symbols) + 1)
    for level in layout.levels[1:]:
        here, before = slice(level.start, level.stop), slice(level.start - 1, level.stop - 1)  # the root has no step
        log_p[:, here] = log_p[:, layout.parents[before]] + steps[:, before]
    return log_p
