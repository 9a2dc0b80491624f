"""State of an exact search: known nodes, open nodes and their bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.search.scorer import DECIMALS, ROUNDING, Ints, LogP, Result, Search, ranked

LOWEST = float(np.finfo(np.float64).min)
"""Lowest finite score."""


@dataclass(frozen=True, eq=False)
class Targets:
    """Items to rank: every ID on its own, or every document with all its IDs."""

    of_node: Ints
    """Target at each leaf of the trie; −1 at other nodes."""
    count: Ints
    """Number of IDs per target."""
    leaves: Ints
    """Leaves by target; those of target t are at `starts[t]:starts[t + 1]`."""
    starts: Ints


@lru_cache(maxsize=4)  # sorting a million documents takes 0.1 s, too long for every query
def targets(trie: Trie, *, documents: bool) -> Targets:
    """Return the documents of a trie, or its IDs (numbered by their leaves)."""
    of_node: Ints = trie.document if documents else np.where(trie.leaf_mask, np.arange(trie.node_count), -1)
    leaves = np.flatnonzero(trie.leaf_mask)
    count = np.bincount(of_node[leaves])
    return Targets(of_node, count, leaves[np.argsort(of_node[leaves], kind="stable")], np.append(0, np.cumsum(count)))


@dataclass(frozen=True, eq=False)
class Scoring:
    """Score of a target: log Σ P over its IDs + bonus of the target."""

    bonus: LogP
    """Bonus by target; minus infinity for targets that may not be returned."""
    at_parent: bool = False
    """Use P of the law node above the leaf (hybrid leaves) instead of the leaf's own."""


class Frontier:
    """Frontier of an exact search.

    A document is seen once one of its IDs is found. Until all its IDs are found, its score is bounded from below by the
    found ones and from above by the deepest known ancestors of the missing ones, because log P decreases along a path.
    An unseen document with m IDs is bounded by m times the best open ancestor of one of them: `reach` holds the largest
    bonus + log m below each node.
    """

    def __init__(self, trie: Trie, ranked_by: Targets, scoring: Scoring, k: int) -> None:
        self.trie, self.targets, self.scoring, self.k = trie, ranked_by, scoring, k
        with np.errstate(divide="ignore"):  # log 0 for a position without IDs
            self.reach = best_below(trie, ranked_by, scoring.bonus + np.log(ranked_by.count))
        self.log_p = np.full(trie.node_count, np.nan)
        self.score = np.full(len(ranked_by.count), -np.inf)
        self.missing = ranked_by.count.copy()
        self._place: Ints = np.empty(len(ranked_by.count), dtype=np.int64)
        self.seen: Ints = np.empty(0, dtype=np.int64)
        self.pending: Ints = self.seen
        self.open: Ints = self.seen
        self._know(np.zeros(1, dtype=np.int64), np.zeros(1))

    def choose(self, batch: int) -> Ints:
        """Return at most `batch` open nodes that can still change the k best, by bound; none when the search is
        done."""
        floor = self._floor()
        self.open = self.open[self._bound(self.open) >= floor]
        wanted = np.zeros(self.trie.node_count, dtype=np.bool_)
        wanted[self.open] = True
        wanted[self._ways_to_missing(floor)] = True
        nodes = np.flatnonzero(wanted)
        return nodes[np.argsort(-self._bound(nodes), kind="stable")[:batch]]

    def learn(self, nodes: Ints, answers: list[LogP]) -> None:
        """Store log P(child | node) of expanded nodes."""
        children, parents = _children(self.trie, nodes)
        steps = np.concatenate(answers)
        if len(steps) != len(children):
            raise ValueError(f"the walk returned {len(steps)} log-probabilities for {len(children)} children")
        self._know(children, self.log_p[parents] + steps)
        self.open = self.open[np.isnan(self.log_p[self.trie.first_child[self.open]])]

    def best(self, ties: Ints) -> list[tuple[int, float]]:
        """Return the k best targets, once `choose` returns no more nodes."""
        found = self.seen[self.score[self.seen] >= self._floor()]
        return ranked(found, self.score[found], ties[found], self.k)

    def _know(self, nodes: Ints, log_p: LogP) -> None:
        self.log_p[nodes] = log_p
        is_leaf = self.trie.document[nodes] >= 0
        leaves, inner = nodes[is_leaf], nodes[~is_leaf]
        scored_at = leaves
        if self.scoring.at_parent:
            holds_leaves = self.trie.document[self.trie.first_child[inner]] >= 0
            leaves, scored_at = _children(self.trie, inner[holds_leaves])
            inner = inner[~holds_leaves]
        self.open = np.append(self.open, inner)
        found = self.targets.of_node[leaves]
        fresh = self._once(found[self.missing[found] == self.targets.count[found]])
        self.seen = np.append(self.seen, fresh)
        self.pending = np.append(self.pending, fresh)
        np.subtract.at(self.missing, found, 1)
        np.logaddexp.at(self.score, found, self.log_p[scored_at] + self.scoring.bonus[found])

    def _once(self, found: Ints) -> Ints:
        """Return each target once, in arbitrary order; 8 µs for 600 targets, np.unique takes 43 µs."""
        places = np.arange(len(found))
        self._place[found] = places
        last: NDArray[np.bool_] = self._place[found] == places
        return found[last]

    def _bound(self, nodes: Ints) -> LogP:
        """Return the upper bound of unseen documents whose best ID lies below each node."""
        return self.log_p[nodes] + self.reach[nodes]

    def _floor(self) -> float:
        """Return the score that a target needs to be among the k best, allowing for rounding."""
        scores = self.score[self.seen]
        if len(scores) < self.k:
            return LOWEST
        return max(float(np.partition(scores, -self.k)[-self.k]) - ROUNDING, LOWEST)

    def _ways_to_missing(self, floor: float) -> Ints:
        """Return the open nodes above missing IDs of seen documents that may be among the k best.

        A score whose bounds round to the same value is final: the missing IDs cannot change the ranking. (This saves a
        third of the expansions if the distribution is peaked.)
        """
        waiting = self.pending[self.missing[self.pending] > 0]
        if not len(waiting):
            return waiting
        at, owner = _ranges(self.targets.starts[waiting], self.targets.count[waiting])
        nodes = self.targets.leaves[at]
        if self.scoring.at_parent:
            nodes = self.trie.parent[nodes]
        hidden = np.flatnonzero(np.isnan(self.log_p[nodes]))
        nodes, owner = nodes[hidden], owner[hidden]
        while len(hidden := np.flatnonzero(np.isnan(self.log_p[nodes]))):
            nodes[hidden] = self.trie.parent[nodes[hidden]]
        least = self.score[waiting]
        most = least.copy()
        np.logaddexp.at(most, owner, self.log_p[nodes] + self.scoring.bonus[waiting][owner])
        unsure = (most >= floor) & (np.round(most, DECIMALS) > np.round(least, DECIMALS))
        self.pending = waiting[unsure]  # bounds only get tighter, so a final score stays final
        return nodes[unsure[owner]]


def explore(frontier: Frontier, ties: Ints, batch: int) -> Search:
    """Expand nodes until no open node can change the k best."""
    expanded = 0
    while len(nodes := frontier.choose(batch)):
        frontier.learn(nodes, (yield nodes.tolist()))
        expanded += len(nodes)
    return Result(frontier.best(ties), expanded, frontier.log_p)


def best_below(trie: Trie, ranked_by: Targets, worth: LogP) -> LogP:
    """Return for each node the largest worth of the targets at or below it; minus infinity without targets."""
    best = np.where(trie.leaf_mask, worth[ranked_by.of_node], -np.inf) if len(worth) else np.full(1, -np.inf)
    for above, level in reversed(list(pairwise(trie.levels()))):
        parents = above.start + np.flatnonzero(trie.child_count[above.start : above.stop])
        best[parents] = np.maximum.reduceat(best[level.start : level.stop], trie.first_child[parents] - level.start)
    return best


def _children(trie: Trie, nodes: Ints) -> tuple[Ints, Ints]:
    """Return the children of all nodes, and the parent of each child."""
    children, owner = _ranges(trie.first_child[nodes], trie.child_count[nodes])
    return children, nodes[owner]


def _ranges(starts: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Return the concatenated ranges `starts[i]:starts[i] + counts[i]`, and the i of each element."""
    owner = np.repeat(np.arange(len(starts)), counts)
    before = np.cumsum(counts) - counts
    return np.arange(len(owner)) - before[owner] + starts[owner], owner
