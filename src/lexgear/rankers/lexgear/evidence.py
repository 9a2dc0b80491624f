"""Sentences of a text that support a charge, by their nearness to the cases under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lexgear.docids.ids import DocIds
from lexgear.rationale.records import Part
from lexgear.search.scorer import LogP

Nearness = Callable[[Sequence[int]], LogP]
"""Function from nodes to an array of shape (sentences, nodes): cosines of the sentences with the cases at the nodes, or
the probabilities of the nodes given each sentence alone."""
MAX_SENTENCES = 3
"""Sentences listed per charge."""


class Evidence:
    """The sentences that f_R extracted, with their nearness to the nodes of the trie."""

    def __init__(self, ids: DocIds, sentences: Sequence[Part], nearness: Nearness) -> None:
        self.ids, self.sentences, self.nearness = ids, tuple(sentences), nearness

    def nearest(self, nodes: Sequence[int]) -> tuple[Part, ...]:
        """Return the sentences nearest to one of these nodes, nearest first; their score is the nearness."""
        near = self.nearness(nodes)
        return self._strongest(near.max(axis=1, initial=0), [nodes[at] for at in near.argmax(axis=1)] if nodes else [])

    def distinctive(self, nodes: Sequence[int]) -> list[tuple[Part, ...]]:
        """Return for each of these nodes the sentences that are nearer to it than to the others."""
        near = self.nearness(nodes)
        own = near.argmax(axis=1) if nodes else np.empty(0, dtype=np.int64)
        return [self._strongest(near[:, at] * (own == at), [node] * len(near)) for at, node in enumerate(nodes)]

    def _strongest(self, scores: LogP, nodes: Sequence[int]) -> tuple[Part, ...]:
        best = np.argsort(-scores, kind="stable")[:MAX_SENTENCES].tolist()
        return tuple(
            self.sentences[at]._replace(
                score=round(float(scores[at]), 4), charge=self.ids.node_name(nodes[at]).rsplit("/", 1)[-1]
            )
            for at in best
            if scores[at] > 0
        )
