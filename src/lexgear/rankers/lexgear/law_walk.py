"""Walks down the law that combine the generator and the words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from lexgear.docids.trie import Trie
from lexgear.search.scorer import LogP, Walk


class MixedWalk:
    """A walk whose steps combine the generator's probabilities and the words' potentials; children sum to one."""

    def __init__(self, walk: Walk, trie: Trie, potentials: LogP, generator: float) -> None:
        self.walk, self.trie, self.potentials, self.generator = walk, trie, potentials, generator

    def expand(self, nodes: Sequence[int]) -> list[LogP]:
        """Return log P(child | node) of both together, in the order of the children."""
        below = [self.trie.children(node) for node in nodes]
        mixed = [self.potentials[children.start : children.stop] for children in below]
        if self.generator:  # with weight 0 the generator does not run
            steps = self.walk.expand(nodes)
            mixed = [self.generator * own + words for own, words in zip(steps, mixed, strict=True)]
        return [own - np.logaddexp.reduce(own) if len(own) else own for own in mixed]


def mixed_law(trie: Trie, generated: LogP, potentials: LogP, generator: float) -> LogP:
    """Return `whole_law` of a `MixedWalk`, given that of the generator alone, so that it need not run again."""
    log_p = np.full(trie.node_count, np.nan)
    log_p[0] = 0.0
    for above, level in pairwise(trie.levels()):
        nodes = slice(level.start, level.stop)
        parents = above.start + np.flatnonzero(trie.child_count[above.start : above.stop])
        parent = trie.parent[nodes]
        mixed = generator * (generated[nodes] - generated[parent]) + potentials[nodes]
        with np.errstate(invalid="ignore"):  # documents, which are NaN
            sums = np.logaddexp.reduceat(mixed, trie.first_child[parents] - level.start)
        log_p[nodes] = log_p[parent] + mixed - np.repeat(sums, trie.child_count[parents])
    return log_p
