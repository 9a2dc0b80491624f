"""What a model is trained on: tokenised texts, each with the leaves of the trie it should lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.ids import DocIds
from lexgear.training.rewards import Path, Step

Ints = NDArray[Any]


@dataclass(frozen=True)
class Examples:
    """Texts as token numbers, and the leaves each of them leads to."""

    numbers: Ints
    mask: NDArray[np.bool_]
    leaves: Sequence[Ints]

    def __len__(self) -> int:
        return len(self.leaves)

    def rows(self, chosen: Ints) -> Examples:
        """Some of the examples, cut to the longest of them."""
        mask = self.mask[chosen]
        width = max(int(mask.sum(1).max(initial=1)), 1)
        return Examples(self.numbers[chosen, :width], mask[:, :width], [self.leaves[row] for row in chosen])


def paths_to(ids: DocIds, leaves: Sequence[int]) -> Ints:
    """The nodes on the way to each leaf, a row a leaf, padded with −1."""
    lines = [ids.trie.ancestry(leaf) for leaf in leaves]
    paths = np.full((len(lines), max(map(len, lines), default=1)), -1, dtype=np.int64)
    for row, line in enumerate(lines):
        paths[row, : len(line)] = line
    return paths


def steps_to(ids: DocIds, leaf: int) -> Path:
    """The way to a leaf as steps that rewards can compare."""
    trie = ids.trie
    return tuple(
        Step(int(trie.symbol[node]), ids.node_kind(node), trie.sibling_rank(node), trie.sibling_count(node))
        for node in trie.ancestry(leaf)
    )


def sampled(leaves: Sequence[Ints], most: int, chance: np.random.Generator) -> tuple[Ints, Ints]:
    """Up to `most` leaves of each example, and which example each belongs to."""
    chosen = [row if len(row) <= most else chance.choice(row, most, replace=False) for row in leaves]
    owners = np.repeat(np.arange(len(chosen)), [len(row) for row in chosen])
    return np.concatenate([*chosen, np.zeros(0, dtype=np.int64)]).astype(np.int64), owners
