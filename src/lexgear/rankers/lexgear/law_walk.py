"""Walks down the law: the generator's and the words' together, asked node by node or for the whole law at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from lexgear.docids.trie import Trie
from lexgear.search.scorer import LogP, Walk


class MixedWalk:
    """A walk whose steps weigh the generator's probabilities and what the words say of each child; they sum to one."""

    def __init__(self, walk: Walk, trie: Trie, potentials: LogP, generator: float) -> None:
        self.walk, self.trie, self.potentials, self.generator = walk, trie, potentials, generator

    def expand(self, nodes: Sequence[int]) -> list[LogP]:
        """log P(child | node) of both together, in the order of the children."""
        below = [self.trie.children(node) for node in nodes]
        mixed = [self.potentials[children.start : children.stop] for children in below]
        if self.generator:  # without weight it is not even asked
            steps = self.walk.expand(nodes)
            mixed = [self.generator * own + words for own, words in zip(steps, mixed, strict=True)]
        return [own - np.logaddexp.reduce(own) if len(own) else own for own in mixed]


def whole_law(trie: Trie, walk: Walk) -> LogP:
    """log P of every law node, level by level; NaN for documents."""
    log_p = np.full(trie.node_count, np.nan)
    log_p[0], level = 0.0, [0]
    while level:
        for node, steps in zip(level, walk.expand(level), strict=True):
            below = trie.children(node)
            log_p[below.start : below.stop] = log_p[node] + steps
        children = [child for node in level for child in trie.children(node)]
        level = [c for c in children if trie.child_count[c] and trie.document[trie.first_child[c]] < 0]
    return log_p


def mixed_law(trie: Trie, generated: LogP, potentials: LogP, generator: float) -> LogP:
    """`whole_law` of a `MixedWalk`, given that of the generator alone: weights are tried without asking it again."""
    log_p = np.full(trie.node_count, np.nan)
    log_p[0] = 0.0
    for above, level in pairwise(trie.levels()):
        places = slice(level.start, level.stop)
        parents = above.start + np.flatnonzero(trie.child_count[above.start : above.stop])
        own = trie.parent[places]
        mixed = generator * (generated[places] - generated[own]) + potentials[places]
        with np.errstate(invalid="ignore"):  # documents, which are NaN
            sums = np.logaddexp.reduceat(mixed, trie.first_child[parents] - level.start)
        log_p[places] = log_p[own] + mixed - np.repeat(sums, trie.child_count[parents])
    return log_p
