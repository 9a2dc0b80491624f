"""Which sentences of a text speak for which charge: those that come near what was decided under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lexgear.docids.ids import DocIds
from lexgear.rationale.records import Part
from lexgear.search.scorer import LogP

Near = Callable[[Sequence[int]], LogP]
"""(sentences, nodes): a cosine with the cases there, or the probability that the sentence alone leads there."""
MOST = 3
"""Sentences named for a charge."""


class Evidence:
    """The sentences f_R picked, and how near each comes to any node of the trie."""

    def __init__(self, ids: DocIds, sentences: Sequence[Part], near: Near) -> None:
        self.ids, self.sentences, self.near = ids, tuple(sentences), near

    def nearest(self, nodes: Sequence[int]) -> tuple[Part, ...]:
        """The sentences nearest to one of these nodes, each for its node, the nearest first; `score` says how near."""
        near = self.near(nodes)
        return self._named(near.max(axis=1, initial=0), [nodes[at] for at in near.argmax(axis=1)] if nodes else [])

    def apart(self, nodes: Sequence[int]) -> list[tuple[Part, ...]]:
        """For each of these nodes the sentences nearer to it than to the others."""
        near = self.near(nodes)
        own = near.argmax(axis=1) if nodes else np.empty(0, dtype=np.int64)
        return [self._named(near[:, at] * (own == at), [node] * len(near)) for at, node in enumerate(nodes)]

    def _named(self, scores: LogP, nodes: Sequence[int]) -> tuple[Part, ...]:
        best = np.argsort(-scores, kind="stable")[:MOST].tolist()
        return tuple(
            self.sentences[at]._replace(
                score=round(float(scores[at]), 4), charge=self.ids.node_name(nodes[at]).rsplit("/", 1)[-1]
            )
            for at in best
            if scores[at] > 0
        )
