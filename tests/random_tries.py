"""Random tries with random distributions, and brute-force search over all leaves."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from lexgear.docids.trie import Trie

Charge = tuple[int, ...]
DOCUMENT_SYMBOLS = 100


def trie_of(charges_by_document: Sequence[Sequence[Charge]], bare: Sequence[Charge] = ()) -> Trie:
    """Return the trie of documents under their charges, with some charges without documents."""
    paths = [
        (*charge, DOCUMENT_SYMBOLS + number) for number, charges in enumerate(charges_by_document) for charge in charges
    ]
    owners = [number for number, charges in enumerate(charges_by_document) for _ in charges]
    paths, owners = [*paths, *bare], [*owners, *[-1] * len(bare)]
    rows = np.full((len(paths), max(map(len, paths), default=0)), -1)
    for row, path in zip(rows, paths, strict=True):
        row[: len(path)] = path
    return Trie.build(rows, np.array(owners, dtype=np.int32))


@st.composite
def tries(draw: st.DrawFn, *, leaves_apart: bool = False) -> Trie:
    """Draw documents with one to five IDs; with `leaves_apart` no leaf has an inner node as sibling."""
    charge = st.lists(st.integers(0, 2), min_size=1, max_size=4).map(tuple)
    charges = sorted(draw(st.sets(charge, min_size=1, max_size=12)))
    if leaves_apart:
        charges = [one for one, after in pairwise([*charges, ()]) if after[: len(one)] != one]
    own = st.lists(st.sampled_from(charges), min_size=1, max_size=5, unique=True)
    documents = draw(st.lists(own, min_size=1, max_size=12))
    return trie_of(documents, bare=[one for one in charges if not any(one in each for each in documents)])


@dataclass
class TableWalk:
    """Walk with given answers that also checks the protocol of the search."""

    trie: Trie
    steps: Mapping[int, NDArray[np.float64]]
    """log P(child | node) by node."""
    asked: list[list[int]] = field(default_factory=list)

    def expand(self, nodes: Sequence[int]) -> list[NDArray[np.float64]]:
        before = {node for batch in self.asked for node in batch}
        assert not before.intersection(nodes), "expanded twice"
        assert all(node == 0 or int(self.trie.parent[node]) in before for node in nodes), "before its parent"
        self.asked.append(list(nodes))
        return [self.steps[node] for node in nodes]

    def log_p(self, node: int) -> float:
        total = 0.0
        while node:
            parent = int(self.trie.parent[node])
            total += float(self.steps[parent][node - int(self.trie.first_child[parent])])
            node = parent
        return total


def random_walk(trie: Trie, seed: int, sharpness: float = 1.0) -> TableWalk:
    """Return softmaxes of normal noise: uniform (many ties) for sharpness 0, peaked for large sharpness."""
    noise = np.random.default_rng(seed)
    steps = {}
    for node in np.flatnonzero(trie.child_count).tolist():
        logits = sharpness * noise.normal(size=trie.child_count[node])
        steps[node] = logits - np.log(np.exp(logits - logits.max()).sum()) - logits.max()
    return TableWalk(trie, steps)


walk_shapes = st.tuples(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1.0, 6.0]))
"""Seed and sharpness."""


def log_sum(values: Sequence[float]) -> float:
    """Return log Σ exp, value by value."""
    top = max(values)
    return top if math.isinf(top) else top + math.log(math.fsum(math.exp(value - top) for value in values))


def best_of(scores: Mapping[int, float], k: int, ties: Sequence[int] | None = None) -> list[tuple[int, float]]:
    """Return the k best by rounded score; ties by `ties` or by number."""
    rows = [(-round(score, 5), item if ties is None else ties[item], item) for item, score in scores.items()]
    return [(item, -score) for score, _, item in sorted(rows)[:k] if score < math.inf]


def documents_by_force(walk: TableWalk) -> dict[int, float]:
    """Return the score of each document: the log of the summed probability of its IDs."""
    return {
        document: log_sum([walk.log_p(leaf) for leaf in walk.trie.leaves_of(document).tolist()])
        for document in documents_of(walk.trie)
    }


def sets_by_force(walk: TableWalk) -> dict[int, float]:
    """Return log Σ P of the law nodes above the leaves of each target."""
    trie = walk.trie
    return {
        target: log_sum([walk.log_p(int(trie.parent[leaf])) for leaf in trie.leaves_of(target).tolist()])
        for target in documents_of(trie)
    }


def documents_of(trie: Trie) -> list[int]:
    return sorted(set(trie.document[trie.leaf_mask].tolist()))
