"""Array trie shared by all ID schemes: six numbers per node, no Python object per node."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.array_checks import INTEGERS, check_array, damaged_array
from lexgear.lexical.array_files import read_arrays

IntArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Trie:
    """Tree of symbols as arrays over nodes, numbered level by level from the root, node 0.

    The children of a node are contiguous and ordered by symbol.

    >>> trie = Trie.build(np.array([[2, 5, 7], [2, 6, 7]]), np.array([0, 0]))
    >>> [trie.path(leaf) for leaf in trie.leaves_of(0)]
    [(2, 5, 7), (2, 6, 7)]
    """

    first_child: IntArray
    """First child of each node; 0 without children."""
    child_count: IntArray
    symbol: IntArray
    """Symbol of the step from the parent; −1 at the root."""
    depth: IntArray
    document: IntArray
    """Position of the document at a leaf; −1 at other nodes."""
    parent: IntArray
    """−1 at the root."""

    @classmethod
    def build(cls, paths: NDArray[np.integer[Any]], documents: NDArray[np.integer[Any]]) -> Trie:
        """Build a trie from paths: row i of `paths`, padded with −1, leads to `documents[i]`.

        A row with document −1 keeps its nodes in the tree without a document.
        """
        # Stored by level instead of by path: every pass below reads one level.
        columns = np.ascontiguousarray(np.asarray(paths).T, dtype=np.int32)
        owners = np.asarray(documents, dtype=np.int32)
        _check_shapes(columns, owners)
        order = np.lexsort(columns[::-1]) if len(columns) else np.arange(len(owners))
        differs = np.zeros(len(order), dtype=bool)
        differs[:1] = True
        ends = np.zeros(len(order), dtype=np.int32)  # last node of each path so far
        count = 1
        levels: list[tuple[IntArray, IntArray]] = [(np.full(1, -1, np.int32), np.full(1, -1, np.int32))]
        for column in np.take(columns, order, axis=1):
            differs[1:] |= column[1:] != column[:-1]
            present = column >= 0
            fresh = differs & present
            levels.append((ends[fresh], column[fresh]))
            nodes = np.cumsum(fresh, dtype=np.int32)
            np.copyto(ends, nodes + np.int32(count - 1), where=present)
            count += len(levels[-1][0])
        parent, symbol = (np.concatenate(part) for part in zip(*levels, strict=True))
        depth = np.repeat(np.arange(len(levels)), [len(part) for part, _ in levels]).astype(np.int32)
        child_count = np.bincount(parent[1:], minlength=count).astype(np.int32)
        after = np.cumsum(child_count, dtype=np.int32) + 1
        first_child = np.where(child_count > 0, after - child_count, 0).astype(np.int32)
        return cls(first_child, child_count, symbol, depth, _documents(ends, owners[order], child_count), parent)

    @property
    def node_count(self) -> int:
        """Number of nodes, including the root."""
        return len(self.symbol)

    @property
    def leaf_mask(self) -> NDArray[np.bool_]:
        """Mask of the nodes with a document."""
        return self.document >= 0

    @property
    def internal_nodes(self) -> IntArray:
        """Nodes without a document, with or without children."""
        return np.flatnonzero(~self.leaf_mask).astype(np.int32)

    def children(self, node: int) -> range:
        """Return the child nodes."""
        first = int(self.first_child[node])
        return range(first, first + int(self.child_count[node]))

    def ancestry(self, node: int) -> tuple[int, ...]:
        """Return the nodes from below the root to the node itself."""
        steps = []
        while node > 0:
            steps.append(int(node))
            node = int(self.parent[node])
        return tuple(reversed(steps))

    def path(self, node: int) -> tuple[int, ...]:
        """Return the symbols from below the root to the node itself."""
        return tuple(int(self.symbol[step]) for step in self.ancestry(node))

    def leaves_of(self, document: int) -> IntArray:
        """Return the leaves of a document, one per ID."""
        leaves, starts = self._leaves
        if not 0 <= document < len(starts) - 1:
            return leaves[:0]
        return leaves[starts[document] : starts[document + 1]]

    def levels(self) -> tuple[range, ...]:
        """Return the nodes of each depth, starting with the root's."""
        depths = np.arange(int(self.depth[-1]) + 2)
        bounds = np.searchsorted(self.depth, depths).tolist()
        return tuple(map(range, bounds, bounds[1:]))

    def sibling_rank(self, node: int) -> int:
        """Return the position among the siblings, from 0."""
        return 0 if node == 0 else int(node) - int(self.first_child[self.parent[node]])

    def sibling_count(self, node: int) -> int:
        """Return the number of children of the parent."""
        return 1 if node == 0 else int(self.child_count[self.parent[node]])

    def save(self, path: Path, **more: NDArray[Any]) -> None:
        """Write plain arrays (`.npz` without pickle); `more` are additional arrays."""
        own: dict[str, Any] = {name: getattr(self, name) for name in NAMES}
        with path.open("wb") as file:
            np.savez(file, allow_pickle=False, **own, **more)

    @classmethod
    def load(cls, path: Path) -> Trie:
        """Read what `save` wrote, without additional arrays."""
        return cls.load_with(path)[0]

    @classmethod
    def load_with(cls, path: Path) -> tuple[Trie, dict[str, NDArray[Any]]]:
        """Read what `save` wrote, with additional arrays."""
        arrays = read_arrays(path, NAMES)
        count = len(arrays["parent"]) if arrays["parent"].ndim else 0
        for name in NAMES:
            least = 0 if name in {"first_child", "child_count", "depth"} else -1
            check_array(path, name, arrays[name], INTEGERS, (count,), least)
        trie = cls(**{name: arrays.pop(name) for name in NAMES})
        if not trie._has_no_circle():
            raise damaged_array(path, "the nodes of the tree are not in order")
        return trie, arrays

    def _has_no_circle(self) -> bool:
        """Return whether every node comes after its parent and before its children, which exist."""
        numbers, inner = np.arange(self.node_count), self.child_count > 0
        ends = self.first_child.astype(np.int64) + self.child_count
        return bool(
            self.node_count
            and self.parent[0] == -1
            and np.all((self.parent[1:] >= 0) & (self.parent[1:] < numbers[1:]))
            and np.all(numbers[inner] < self.first_child[inner])
            and np.all(ends[inner] <= self.node_count)
        )

    @cached_property
    def _leaves(self) -> tuple[IntArray, IntArray]:
        """Leaves by document; those of document d are at `starts[d]:starts[d + 1]`."""
        leaves = np.flatnonzero(self.leaf_mask).astype(np.int32)
        owners = self.document[leaves]
        counts = np.bincount(owners)
        return leaves[np.argsort(owners, kind="stable")], np.append(0, np.cumsum(counts)).astype(np.int32)


NAMES = tuple(field.name for field in fields(Trie))


def _check_shapes(columns: IntArray, owners: IntArray) -> None:
    if columns.ndim != 2 or owners.shape != columns.shape[1:]:
        raise ValueError(f"paths of shape {columns.shape[::-1]} do not fit documents of shape {owners.shape}")
    if np.any((columns[:-1] < 0) & (columns[1:] >= 0)):
        raise ValueError("a path has a gap: −1 is allowed at its end only")


def _documents(ends: IntArray, owners: IntArray, child_count: IntArray) -> IntArray:
    """Return each node's document, given the last node and the document of each row."""
    owned = owners >= 0
    taken = np.bincount(ends[owned], minlength=len(child_count))
    if np.any(taken > 1):
        raise ValueError("several documents at the end of one path")
    if np.any((taken > 0) & (child_count > 0)) or taken[0]:
        raise ValueError("the path of one document is a prefix of another's: add a symbol to it")
    document = np.full(len(child_count), -1, dtype=np.int32)
    document[ends[owned]] = owners[owned]
    return document
