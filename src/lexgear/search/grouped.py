"""Exact search for documents that share sets of places: the tree has a leaf per set, whatever the number of documents.

All documents of a set have the same log Σ P over their IDs, so the search looks for sets by their best document, and
for documents in the sets that can hold one of the k best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lexgear.docids.trie import Trie
from lexgear.search.exact import BATCH
from lexgear.search.frontier import LOWEST, Frontier, Scoring, targets
from lexgear.search.scorer import ROUNDING, Ints, LogP, Walk

Members = Callable[[int], LogP]
"""Function from a set to the scores of its documents, minus infinity for those that may not be returned."""


@dataclass(frozen=True)
class FoundSets:
    """Sets that can hold one of the k best documents."""

    sets: Ints
    expanded: int
    """Number of nodes expanded by the model."""
    log_p: LogP
    """log P of each visited node of the trie, NaN for the others."""


def find_sets(trie: Trie, walk: Walk, k: int, best: LogP, members: Members, batch: int = BATCH) -> FoundSets:
    """Return all sets that can hold one of the k documents with the highest log Σ P + score.

    `best` holds the highest score of each set's documents.
    """
    ranked_by = targets(trie, documents=True)
    scoring = Scoring(best[: len(ranked_by.count)], at_parent=True)
    frontier = _DocumentFrontier(trie, ranked_by, scoring, k)
    frontier.members = members
    expanded = 0
    while len(nodes := frontier.choose(batch)):
        frontier.learn(nodes, walk.expand(nodes.tolist()))
        expanded += len(nodes)
    return FoundSets(np.sort(frontier.found()), expanded, frontier.log_p)


class _DocumentFrontier(Frontier):
    """A frontier of sets that knows the scores of the documents in the sets it has seen."""

    members: Members
    _counted = 0

    def found(self) -> Ints:
        """Return the sets that can hold one of the k best documents."""
        return self.seen[self.score[self.seen] >= self._floor()]

    def _floor(self) -> float:
        """Return the score that a document needs to be among the k best, allowing for rounding."""
        if not self._counted:
            self._owners, self._below = np.empty(0, dtype=np.int64), np.empty(0)
        new = self.seen[self._counted :].tolist()
        if new:
            below = [self._best_members(number) - self.scoring.bonus[number] for number in new]
            self._owners = np.append(self._owners, np.repeat(new, [len(own) for own in below]))
            self._below = np.concatenate([self._below, *below])
        self._counted = len(self.seen)
        if len(self._below) < self.k:
            return LOWEST
        scores = self.score[self._owners] + self._below
        return max(float(np.partition(scores, -self.k)[-self.k]) - ROUNDING, LOWEST)

    def _best_members(self, number: int) -> LogP:
        """Return the k highest scores of a set's documents that may be returned."""
        own = self.members(number)
        own = own[own > -np.inf]
        return np.partition(own, -self.k)[-self.k :] if len(own) > self.k else own
