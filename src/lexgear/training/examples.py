"""Training examples: tokenised texts with the trie leaves they should lead to."""

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
    """A batch of texts as token ids, with the target leaves of each text."""

    numbers: Ints
    mask: NDArray[np.bool_]
    leaves: Sequence[Ints]

    def __len__(self) -> int:
        return len(self.leaves)

    def rows(self, chosen: Ints) -> Examples:
        """Return some of the examples, cut to the length of the longest."""
        mask = self.mask[chosen]
        width = max(int(mask.sum(1).max(initial=1)), 1)
        return Examples(self.numbers[chosen, :width], mask[:, :width], [self.leaves[row] for row in chosen])

    def first(self, count: int) -> Examples:
        """Return the first examples."""
        return Examples(self.numbers[:count], self.mask[:count], self.leaves[:count])


def drop_tokens(examples: Examples, share: float, rng: np.random.Generator) -> Examples:
    """Return the examples with a random share of their tokens removed.

    The first and the last token of a text stay: in a checkpoint they are special tokens, such as `[CLS]` and `[SEP]`.
    """
    kept = examples.mask & (rng.random(examples.mask.shape) >= share)
    kept[:, 0] = True
    kept[np.arange(len(kept)), examples.mask.sum(1) - 1] = True
    order = np.argsort(~kept, axis=1, kind="stable")
    numbers, mask = (np.take_along_axis(part, order, axis=1) for part in (examples.numbers, kept))
    width = int(mask.sum(1).max(initial=1))
    return Examples(np.where(mask, numbers, 0)[:, :width], mask[:, :width], examples.leaves)


def concatenate_examples(first: Examples, second: Examples) -> Examples:
    """Concatenate two sets of examples, padded to one width."""
    width = max(first.numbers.shape[1], second.numbers.shape[1])
    numbers, mask = (
        np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in parts])
        for parts in ((first.numbers, second.numbers), (first.mask, second.mask))
    )
    return Examples(numbers, mask, [*first.leaves, *second.leaves])


def paths_to(ids: DocIds, leaves: Sequence[int]) -> Ints:
    """Return the nodes on the path to each leaf, one row per leaf, padded with −1."""
    lines = [ids.trie.ancestry(leaf) for leaf in leaves]
    paths = np.full((len(lines), max(map(len, lines), default=1)), -1, dtype=np.int64)
    for row, line in enumerate(lines):
        paths[row, : len(line)] = line
    return paths


def steps_to(ids: DocIds, leaf: int) -> Path:
    """Return the path to a leaf as steps that rewards can compare."""
    trie = ids.trie
    return tuple(
        Step(int(trie.symbol[node]), ids.node_kind(node), trie.sibling_rank(node), trie.sibling_count(node))
        for node in trie.ancestry(leaf)
    )


def sample_leaves(leaves: Sequence[Ints], most: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Sample up to `most` leaves per example; return the leaves and the example that each belongs to."""
    chosen = [row if len(row) <= most else rng.choice(row, most, replace=False) for row in leaves]
    owners = np.repeat(np.arange(len(chosen)), [len(row) for row in chosen])
    return np.concatenate([*chosen, np.zeros(0, dtype=np.int64)]).astype(np.int64), owners
