"""Constrained beam search of the paper, level by level down the trie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lexgear.docids.trie import Trie
from lexgear.search.scorer import DECIMALS, Ints, Result, Search, Walk, ranked, run

BEAMS = 30
"""Number of beams in the paper."""


def beam_search(trie: Trie, walk: Walk, beams: int = BEAMS, k: int = BEAMS) -> Result:
    """Return the k most probable IDs found with `beams` hypotheses per level, as leaves with log P."""
    return run(search_beams(trie, beams, k), walk)


def search_beams(trie: Trie, beams: int = BEAMS, k: int = BEAMS) -> Search:
    """Return `beam_search` as a generator, to be run together with others.

    Every level keeps the `beams` most probable unfinished hypotheses; finished ones are kept in addition.
    """
    log_p = np.full(trie.node_count, np.nan)
    log_p[0] = 0.0
    level: Ints = np.zeros(1, dtype=np.int64)
    finished: list[Ints] = []
    expanded = 0
    while len(level := level[trie.child_count[level] > 0]):
        answers = yield level.tolist()
        expanded += len(level)
        for node, steps in zip(level.tolist(), answers, strict=True):
            children = trie.children(node)
            log_p[children.start : children.stop] = log_p[node] + steps
        reached = np.concatenate([np.array(trie.children(node)) for node in level.tolist()])
        reached = reached[log_p[reached] > -np.inf]
        finished.append(reached[trie.document[reached] >= 0])
        level = reached[trie.document[reached] < 0]
        level = level[np.lexsort((level, -np.round(log_p[level], DECIMALS)))[:beams]]
    leaves = np.concatenate([np.empty(0, dtype=np.int64), *finished])
    return Result(ranked(leaves, log_p[leaves], leaves, min(k, beams)), expanded, log_p)


def documents_of_beams(
    trie: Trie, hits: Sequence[tuple[int, float]], tie_order: Ints | None = None
) -> list[tuple[int, float]]:
    """Return the documents of the IDs found, best first; IDs of the same document add up their probabilities."""
    leaves, log_p = np.array([leaf for leaf, _ in hits], dtype=np.int64), np.array([score for _, score in hits])
    documents, owner = np.unique(trie.document[leaves], return_inverse=True)
    scores = np.full(len(documents), -np.inf)
    np.logaddexp.at(scores, owner, log_p)
    ties = documents if tie_order is None else tie_order[documents]
    return ranked(documents, scores, ties, len(documents))
