"""Probabilities of all law nodes in one walk down the law."""

from __future__ import annotations

import numpy as np

from lexgear.docids.trie import Trie
from lexgear.search.scorer import LogP, Walk


def whole_law(trie: Trie, walk: Walk) -> LogP:
    """Return log P of every law node, level by level; NaN for documents."""
    log_p = np.full(trie.node_count, np.nan)
    log_p[0], level = 0.0, [0]
    while level:
        for node, steps in zip(level, walk.expand(level), strict=True):
            below = trie.children(node)
            log_p[below.start : below.stop] = log_p[node] + steps
        children = [child for node in level for child in trie.children(node)]
        level = [c for c in children if trie.child_count[c] and trie.document[trie.first_child[c]] < 0]
    return log_p
