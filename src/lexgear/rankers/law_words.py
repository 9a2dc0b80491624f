"""Words at the nodes of the law: how well the words of a text fit what was decided under each node.

Every law node is a document made of all cases below it, scored by query likelihood; beside the generator's own
probabilities it decides where a walk goes. A node nobody was judged under scores as the collection at large.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.lexical.sparse import SparseWeights
from lexgear.search.scorer import LogP, Walk

MU = 200.0


class LawWords:
    """The words under each node of a trie, by node number."""

    def __init__(self, weights: SparseWeights, lengths: NDArray[np.int64]) -> None:
        self.weights, self.lengths = weights, lengths

    @classmethod
    def of(cls, trie: Trie, texts: Sequence[Sequence[str]]) -> LawWords:
        """Gathers the words of the documents, by position, at every law node above them."""
        below: list[list[str]] = [[] for _ in range(trie.node_count)]
        for leaf in np.flatnonzero(trie.leaf_mask).tolist():
            for node in trie.ancestry(leaf)[:-1]:
                below[node].extend(texts[trie.document[leaf]])
        lengths = np.array([len(words) for words in below])
        return cls(SparseWeights.dirichlet(below, mu=MU), lengths)

    def scores(self, words: Sequence[str]) -> LogP:
        """log P(words | node) less that of the collection, a word on average: long texts do not shout."""
        known = self.weights.known(words)
        shorter = len(known) * np.log(MU / (self.lengths + MU))
        return np.asarray((self.weights.sums(known) + shorter) / max(len(known), 1), dtype=np.float64)

    def save(self, path: Path) -> None:
        """Writes plain arrays."""
        self.weights.save(path, lengths=self.lengths)

    @classmethod
    def load(cls, path: Path) -> LawWords:
        """What `save` wrote."""
        weights, own = SparseWeights.load(path)
        return cls(weights, own["lengths"])


class WordedWalk:
    """A walk whose steps weigh the generator's probabilities and the words under each child; they sum to one."""

    def __init__(self, walk: Walk, trie: Trie, node_scores: LogP, weight: float) -> None:
        self.walk, self.trie, self.node_scores, self.weight = walk, trie, node_scores, weight

    def expand(self, nodes: Sequence[int]) -> list[LogP]:
        """log P(child | node) of both together, in the order of the children."""
        found = []
        for node, steps in zip(nodes, self.walk.expand(nodes), strict=True):
            below = self.trie.children(node)
            mixed = steps + self.weight * self.node_scores[below.start : below.stop]
            found.append(mixed - np.logaddexp.reduce(mixed) if len(mixed) else mixed)
        return found
