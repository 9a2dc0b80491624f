"""Centroids of the cases under each charge, as TF-IDF vectors, and their cosines with a text.

A centroid is the mean of the cases at a place (`law_statistics.py`), scaled to unit length, so that a charge with many
cases has no advantage. A centroid of few cases is unreliable: that of n cases has the length √(n / (n + 1)). Nothing is
trained: on the LeCaRD queries this names a gold charge first for 62%, a linear SVM on the same words for 53%
(docs/lab.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.ids import DocIds
from lexgear.docids.law import UNCHARGED
from lexgear.docids.trie import Trie
from lexgear.lexical.sparse import SparseWeights
from lexgear.lexical.tf_idf import log_tf
from lexgear.rankers.lexgear.features.law_statistics import UNIT, LawIdf, LawStatistics, lengths_of
from lexgear.search.scorer import LogP

LAW_TEXT_WEIGHT = 0.1
"""Weight of the text of the law in the number of cases of a charge; often it is no more than a name."""


class LawCentroids:
    """Centroids of the cases at the nodes of a trie that hold documents, by node number."""

    def __init__(self, weights: SparseWeights, idf: LawIdf, df: NDArray[np.int64]) -> None:
        self.weights, self.rarest, self.df = weights, idf.rarest, df
        self._idf = idf

    @cached_property
    def idf(self) -> NDArray[np.float64]:
        """The idf of each word; looked up for the first text, since a change of documents does not need it."""
        return self._idf.of_words(tuple(self.weights.words))

    @classmethod
    def of(cls, nodes: Mapping[str, int], node_count: int, statistics: LawStatistics, idf: LawIdf) -> LawCentroids:
        """Compute the centroids from statistics of cases and texts of the law; `nodes` are those of their places.

        The text of a charge counts as one more case there, so that charges without cases have a centroid too, but only
        as a tenth of a case in its length. (Queries of CAIL2018 on an index of LeCaRD: the log loss of the charges is
        1.34 without law texts, 1.22 with them, 1.19 with them and shorter centroids; the first charge is right for .78,
        .78, .79.)
        """
        count = max(len(statistics.places), 1)
        columns, rows = np.divmod(statistics.cells, count)
        lengths = lengths_of(rows, statistics.sums, count)
        cases = np.append(statistics.cases, 0)[:count] / UNIT
        scale = np.sqrt(1 - 1 / (1 + cases)) * np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        numbers = np.array([nodes[place] for place in statistics.places], dtype=np.int32)
        weights = SparseWeights(
            {word: number for number, word in enumerate(statistics.words)},
            np.searchsorted(columns, np.arange(len(statistics.words) + 1)),
            numbers[rows] if len(numbers) else rows.astype(np.int32),
            (statistics.sums * scale[rows]).astype(np.float32),
            node_count,
        )
        return cls(weights, idf, statistics.df)

    def known(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of the words that occur in some case or in the law, with repetitions."""
        return [number for number in self.weights.known(words) if self.df[number]]

    def cosines(self, words: Sequence[str]) -> LogP:
        """Return the dot product of a text's unit vector with the centroid of each node; 0 if a node has none."""
        vector = {word: log_tf(count) * self.idf[word] for word, count in Counter(self.known(words)).items()}
        length = np.sqrt(sum(value * value for value in vector.values()))
        return np.asarray(self.weights.dot(vector) / max(length, 1e-9), dtype=np.float64)

    def familiarity(self, words: Sequence[str]) -> float:
        """Return the cosine of a text with the nearest centroid; words that no case has count as the rarest."""
        counts = Counter(words)
        lengths = np.array([log_tf(count) for count in counts.values()])
        numbers = np.array([self.weights.words.get(word, -1) for word in counts], dtype=np.int64)
        there = (numbers >= 0) & (np.append(self.df, 0)[numbers] > 0)
        idf = np.append(self.idf, 0)[numbers]
        known, whole = np.where(there, idf, 0), np.where(there, idf, self.rarest)
        share = float(np.linalg.norm(lengths * known)) / max(float(np.linalg.norm(lengths * whole)), 1e-9)
        return share * float(self.cosines(words).max(initial=0))


def place_nodes(ids: DocIds, places: Sequence[str]) -> dict[str, int]:
    """Return the nodes of a tree of place sets at which the cases of each place stand."""
    nodes: dict[str, int] = {}
    for node in ids.trie.internal_nodes[1:].tolist():
        kind, above = ids.node_kind(node), int(ids.trie.parent[node])
        name = ids.node_name(above) if kind == "here" else UNCHARGED if kind == "uncharged" else ids.node_name(node)
        if kind == "here" or name not in nodes:
            nodes[name] = node
    root = next((node for node in ids.nodes_of("here").tolist() if ids.trie.parent[node] == 0), 0)
    return {place: nodes.get(place, root) for place in places}


def potentials(trie: Trie, scores: LogP) -> LogP:
    """Return log Σ exp(score) over the places at or below each law node, given the scores of all nodes.

    A walk with steps proportional to these reaches each place with its probability in one softmax over all places,
    whatever their depth.
    """
    holds = trie.document[trie.first_child] >= 0  # first_child of a leaf is 0, the root, which is no document
    places = holds | ((trie.child_count == 0) & (trie.document < 0))
    reach = np.where(places, scores, -np.inf)
    for above, level in reversed(list(pairwise(trie.levels()))):
        parents = above.start + np.flatnonzero(trie.child_count[above.start : above.stop])
        sums = np.logaddexp.reduceat(reach[level.start : level.stop], trie.first_child[parents] - level.start)
        reach[parents] = np.where(holds[parents], reach[parents], sums)
    return reach
