"""Walk restricted to allowed documents, so that no beam is spent on others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.search.scorer import LogP, Walk


class PrunedWalk:
    """Walk with minus infinity at nodes without allowed documents below; other scores are unchanged."""

    def __init__(self, walk: Walk, trie: Trie, allowed: NDArray[np.bool_]) -> None:
        self._walk, self._trie = walk, trie
        self._open = np.where(trie.leaf_mask, allowed[trie.document], False)
        for level in reversed(trie.levels()[1:]):
            nodes = level.start + np.flatnonzero(self._open[level.start : level.stop])
            self._open[trie.parent[nodes]] = True

    def expand(self, nodes: Sequence[int]) -> list[LogP]:
        """Return log P(child | node) for the children of each node, in order."""
        below = [self._trie.children(node) for node in nodes]
        steps = zip(below, self._walk.expand(nodes), strict=True)
        return [np.where(self._open[some.start : some.stop], found, -np.inf) for some, found in steps]
