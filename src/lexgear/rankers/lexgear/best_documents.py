"""The best documents for a query: first the sets of places that can hold them, then the documents of these sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from lexgear.corpus.records import Query
from lexgear.docids.place_sets import PlaceSets
from lexgear.docids.trie import Trie
from lexgear.rankers.document_ids import DocumentIds
from lexgear.rankers.explanation import extend_log_p
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.weighting.weights import LeafScores
from lexgear.rankers.scope import Scope
from lexgear.search.grouped import Members, find_sets
from lexgear.search.scorer import LogP, Walk

if TYPE_CHECKING:
    from lexgear.rankers.lexgear.ranker import Lexgear


class FoundDocuments(NamedTuple):
    """The best documents for a query."""

    hits: list[tuple[int, float]]
    """Positions and scores, best first."""
    log_p: LogP
    """log P of each visited node of the tree, NaN for the others."""
    leaves: LeafScores
    """Scores of the hits beside their charges, in their order."""


class Shards(Protocol):
    """Search of documents that other processes or machines hold."""

    def find(self, ranker: Lexgear, query: Query, features: QueryFeatures, k: int, scope: Scope) -> FoundDocuments:
        """Return the k best documents of all shards; `ranker` has the statistics of all documents."""

    def close(self) -> None:
        """End the shards."""


class SetCharges(NamedTuple):
    """Sets that can hold one of the best documents, with log Σ P over their places."""

    charges: dict[int, float]
    log_p: LogP
    expanded: int
    """Number of nodes expanded by the model."""


def charges_of_sets(trie: Trie, walk: Walk, k: int, best: LogP, members: Members) -> SetCharges:
    """Return the sets that can hold one of the k best documents, given the best score and all scores of each set."""
    found = find_sets(trie, walk, k, best, members)
    ends = [np.sort(trie.parent[trie.leaves_of(number)]) for number in found.sets.tolist()]
    log_p = extend_log_p(trie, walk, found.log_p, np.concatenate([np.empty(0, dtype=np.int32), *ends]))
    sums = [float(np.logaddexp.reduce(log_p[end])) for end in ends]
    return SetCharges(dict(zip(found.sets.tolist(), sums, strict=True)), log_p, found.expanded)


def best_of_sets(
    documents: DocumentIds, places: PlaceSets, scores: LogP, charges: Mapping[int, float], k: int
) -> list[tuple[int, float]]:
    """Return the k best documents of some sets by the sum of log Σ P and score, rounded."""
    positions = [places.documents(number) for number in charges]
    added = [np.full(len(own), charge) for own, charge in zip(positions, charges.values(), strict=True)]
    candidates = np.concatenate([np.empty(0, dtype=np.int64), *positions])
    return documents.ranked(candidates, np.concatenate([np.empty(0), *added]) + scores[candidates], k)
