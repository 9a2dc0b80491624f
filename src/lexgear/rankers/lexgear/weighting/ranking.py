"""Weights of the ranking score, learnt from queries with graded candidates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.rankers.lexgear.weighting.coordinate_ascent import ascend
from lexgear.rankers.lexgear.weighting.labelled_texts import LabelledQuery
from lexgear.rankers.lexgear.weighting.listwise import Candidates, held_out_loss, learn_weights
from lexgear.rankers.lexgear.weighting.weights import RANKING, Weights
from lexgear.search.scorer import Ints, LogP


def learn_ranking(walks: Sequence[tuple[float, Weights]], queries: Sequence[LabelledQuery], trie: Trie) -> Weights:
    """Return the walk with the least sum of losses, with the weights of the ranking score learnt from queries.

    Each walk comes with its loss per text in naming charges, to which its loss per query in ranking is added: the walk
    that names charges best is not the one that ranks best.
    """

    def total_loss(pair: tuple[float, Weights]) -> float:
        loss, walk = pair
        lists = [part for one in queries for part in candidates_of(one, walk, trie)]
        return loss + held_out_loss(lists, walk.ranking)

    _, walk = min(walks, key=total_loss) if len(walks) > 1 else walks[0]
    weights = ranking_weights([candidates_of(one, walk, trie) for one in queries], walk.ranking)
    return walk.changed(**dict(zip(RANKING, map(float, weights), strict=True)))


def ranking_weights(queries: Sequence[Sequence[Candidates]], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of the ranking score, learnt from the lists of candidates of each query.

    Queries with pools have graded labels of many documents: the weights with the best nDCG@10 of corpus and pools are
    taken, since those of the listwise loss rank pools worse (docs/lab.md). Other queries have a few answers each, and
    the listwise loss learns more from them.
    """
    lists = [part for own in queries for part in own]
    weights = learn_weights(lists, start)
    return ascend(lists, weights) if any(len(own) > 1 for own in queries) else weights


def candidates_of(one: LabelledQuery, walk: Weights, trie: Trie) -> list[Candidates]:
    """Return the lists of candidates of a query with log Σ P(charge) by a walk."""
    leaves = [trie.leaves_of(number) for number in one.sets.tolist()]
    starts = np.cumsum([0, *map(len, leaves[:-1])])
    log_p = np.logaddexp.reduceat(one.text.log_p(trie, walk)[trie.parent[np.concatenate(leaves)]], starts)
    parts = np.column_stack([log_p, one.leaves.columns()])
    return [Candidates(one.grades[some], one.leaves.words[some], parts[some]) for some in one.lists]


def document_scores(trie: Trie, log_p: LogP, charge: float, leaf_scores: LogP, sets: Ints | None = None) -> LogP:
    """Return w · log Σ P(charge) over a document's IDs plus its leaf score, for every document.

    `sets` are the targets of the trie under which the documents stand, by default those of the same number.
    """
    leaves = np.flatnonzero(trie.leaf_mask)
    numbers = np.arange(len(leaf_scores)) if sets is None else sets
    sums = np.full(max(int(numbers.max(initial=-1)), int(trie.document.max(initial=-1))) + 1, -np.inf)
    np.logaddexp.at(sums, trie.document[leaves], log_p[trie.parent[leaves]])
    return np.asarray(charge * sums[numbers] + leaf_scores)
