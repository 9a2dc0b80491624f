"""The state of an exact search: what is known, what is open, and which open nodes can still matter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.search.scorer import DECIMALS, ROUNDING, Ints, LogP, Result, Search, ranked

LOWEST = float(np.finfo(np.float64).min)
"""Below every score but minus infinity."""


@dataclass(frozen=True, eq=False)
class Targets:
    """What is ranked: every ID on its own, or every document with all its IDs."""

    of_node: Ints
    """The target at each leaf of the trie; −1 elsewhere."""
    count: Ints
    """How many IDs each target has."""
    leaves: Ints
    """The leaves by target: those of target t stand at `starts[t]:starts[t + 1]`."""
    starts: Ints


@lru_cache(maxsize=4)  # a million documents take 0.1 s to sort, too long to do for each query
def targets(trie: Trie, *, documents: bool) -> Targets:
    """The documents of a trie, or its IDs (a target then is the number of its leaf)."""
    of_node: Ints = trie.document if documents else np.where(trie.leaf_mask, np.arange(trie.node_count), -1)
    leaves = np.flatnonzero(trie.leaf_mask)
    count = np.bincount(of_node[leaves])
    return Targets(of_node, count, leaves[np.argsort(of_node[leaves], kind="stable")], np.append(0, np.cumsum(count)))


@dataclass(frozen=True, eq=False)
class Scoring:
    """The score of a target: log Σ over its IDs of exp(weight · log P + bonus of the target)."""

    bonus: LogP
    """By target; minus infinity for those that are no answer."""
    weight: float = 1.0
    at_parent: bool = False
    """Whether P is that of the law node above the leaf (hybrid leaves) instead of the leaf's own."""

    def weighed(self, log_p: LogP) -> LogP:
        """weight · log P; without weight it does not matter that something is impossible."""
        return self.weight * log_p if self.weight else np.zeros_like(log_p)


class Frontier:
    """Where an exact search stands.

    A document with an ID found is seen. Until all its IDs are found its score is known from below, and from above by
    the deepest known nodes on the way to the missing ones, since log P only falls on the way down. An unseen document
    of m IDs is below m times the best open node above one of them: `reach` holds bonus + log m of the best below.
    """

    def __init__(self, trie: Trie, ranked_by: Targets, scoring: Scoring, k: int) -> None:
        self.trie, self.targets, self.scoring, self.k = trie, ranked_by, scoring, k
        with np.errstate(divide="ignore"):  # a position without IDs: log 0
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
        """The most promising nodes that can still change the k best, at most `batch`; none when the search is over."""
        floor = self._floor()
        self.open = self.open[self._bound(self.open) >= floor]
        wanted = np.zeros(self.trie.node_count, dtype=np.bool_)
        wanted[self.open] = True
        wanted[self._ways_to_missing(floor)] = True
        nodes = np.flatnonzero(wanted)
        return nodes[np.argsort(-self._bound(nodes), kind="stable")[:batch]]

    def learn(self, nodes: Ints, answers: list[LogP]) -> None:
        """Takes in log P(child | node) of expanded nodes."""
        children, parents = _children(self.trie, nodes)
        steps = np.concatenate(answers)
        if len(steps) != len(children):
            raise ValueError(f"the walk gave {len(steps)} log-probabilities for {len(children)} children")
        self._know(children, self.log_p[parents] + steps)
        self.open = self.open[np.isnan(self.log_p[self.trie.first_child[self.open]])]

    def best(self, ties: Ints) -> list[tuple[int, float]]:
        """The k best targets, once `choose` finds nothing more to expand."""
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
        np.logaddexp.at(self.score, found, self.scoring.weighed(self.log_p[scored_at]) + self.scoring.bonus[found])

    def _once(self, found: Ints) -> Ints:
        """Each target once, in no particular order; 8 µs for 600 where np.unique takes 43."""
        places = np.arange(len(found))
        self._place[found] = places
        last: NDArray[np.bool_] = self._place[found] == places
        return found[last]

    def _bound(self, nodes: Ints) -> LogP:
        """What no unseen document can exceed whose best-placed ID lies below the node."""
        return self.scoring.weighed(self.log_p[nodes]) + self.reach[nodes]

    def _floor(self) -> float:
        """What cannot reach this cannot be among the k best, not even by rounding."""
        scores = self.score[self.seen]
        if len(scores) < self.k:
            return LOWEST
        return max(float(np.partition(scores, -self.k)[-self.k]) - ROUNDING, LOWEST)

    def _ways_to_missing(self, floor: float) -> Ints:
        """The open nodes above the missing IDs of seen documents that may be among the k best.

        A score whose bounds round to the same is known well enough: what is missing cannot change the ranking. (Spares
        a third of the expansions where the distribution is peaked.)
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
        np.logaddexp.at(most, owner, self.scoring.weighed(self.log_p[nodes]) + self.scoring.bonus[waiting][owner])
        unsure = (most >= floor) & (np.round(most, DECIMALS) > np.round(least, DECIMALS))
        self.pending = waiting[unsure]  # bounds only come closer: what is sure once stays so
        return nodes[unsure[owner]]


def explore(frontier: Frontier, ties: Ints, batch: int) -> Search:
    """Expands until nothing open can change the k best."""
    expanded = 0
    while len(nodes := frontier.choose(batch)):
        frontier.learn(nodes, (yield nodes.tolist()))
        expanded += len(nodes)
    return Result(frontier.best(ties), expanded, frontier.log_p)


def best_below(trie: Trie, ranked_by: Targets, worth: LogP) -> LogP:
    """For each node the most that a target at or below it is worth; minus infinity where there is none."""
    best = np.where(trie.leaf_mask, worth[ranked_by.of_node], -np.inf) if len(worth) else np.full(1, -np.inf)
    for above, level in reversed(list(pairwise(trie.levels()))):
        parents = above.start + np.flatnonzero(trie.child_count[above.start : above.stop])
        best[parents] = np.maximum.reduceat(best[level.start : level.stop], trie.first_child[parents] - level.start)
    return best


def _children(trie: Trie, nodes: Ints) -> tuple[Ints, Ints]:
    """The children of all nodes, and beside each its parent."""
    children, owner = _ranges(trie.first_child[nodes], trie.child_count[nodes])
    return children, nodes[owner]


def _ranges(starts: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """The numbers of all ranges `starts[i]:starts[i] + counts[i]` one after another, and beside each its i."""
    owner = np.repeat(np.arange(len(starts)), counts)
    before = np.cumsum(counts) - counts
    return np.arange(len(owner)) - before[owner] + starts[owner], owner
