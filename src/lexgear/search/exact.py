"""Exact search for the k best IDs or documents, which expands only a small part of the tree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.search.frontier import Frontier, Scoring, explore, targets
from lexgear.search.scorer import Ints, Result, Search, Walk, run

BATCH = 24
"""Nodes expanded at once, so that a model can score them in one pass; the hits do not depend on it.

Document search in LeCaRD's tree with 60M parameters on a CPU: 430 ms with 12, 390 ms with 16, 315 ms with 24 or 32.
"""


def best_ids(trie: Trie, walk: Walk, k: int, batch: int = BATCH) -> Result:
    """Return the k most probable IDs as leaves with log P; ties go to the smaller leaf number.

    >>> class Even:
    ...     def expand(self, nodes):
    ...         return [np.log(np.full(trie.child_count[node], 1 / trie.child_count[node])) for node in nodes]
    >>> trie = Trie.build(np.array([[1, 2], [1, 3], [4, 2]]), np.array([0, 1, 0]))
    >>> best_ids(trie, Even(), k=1).hits
    [(5, -0.69315)]
    >>> best_documents(trie, Even(), k=2).hits
    [(0, -0.28768), (1, -1.38629)]
    """
    return run(search_ids(trie, k, batch), walk)


def best_documents(
    trie: Trie,
    walk: Walk,
    k: int,
    batch: int = BATCH,
    tie_order: Ints | None = None,
    allowed: NDArray[np.bool_] | None = None,
) -> Result:
    """Return the k documents with the highest score log Σ P(ID) over their IDs.

    `tie_order` ranks documents of equal score (default: by position); `allowed` is a mask of the documents that may be
    returned.
    """
    return run(search_documents(trie, k, batch, tie_order, allowed), walk)


def search_ids(trie: Trie, k: int, batch: int = BATCH) -> Search:
    """Return `best_ids` as a generator, to be run together with others."""
    ids = targets(trie, documents=False)
    scoring = Scoring(np.zeros(len(ids.count)))
    return explore(Frontier(trie, ids, scoring, k), np.arange(len(ids.count)), batch)


def search_documents(
    trie: Trie,
    k: int,
    batch: int = BATCH,
    tie_order: Ints | None = None,
    allowed: NDArray[np.bool_] | None = None,
) -> Search:
    """Return `best_documents` as a generator, to be run together with others."""
    documents = targets(trie, documents=True)
    bonus = (
        np.zeros(len(documents.count)) if allowed is None else np.where(allowed, 0.0, -np.inf)[: len(documents.count)]
    )
    ties = np.arange(len(bonus)) if tie_order is None else tie_order
    return explore(Frontier(trie, documents, Scoring(bonus), k), ties, batch)
