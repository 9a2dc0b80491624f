"""The plain fusion that `lexgear` has to beat on statutes: BM25 + w · similarity of the base model's vectors."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np

from lexgear.corpus.records import Collection, Query
from lexgear.progress import Progress
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.lexgear.training import start_weights
from lexgear.rankers.lexgear.weighting.labelled_texts import labelled_queries, teaching_queries
from lexgear.rankers.lexgear.weighting.listwise import Candidates
from lexgear.rankers.lexgear.weighting.ranking import ranking_weights
from lexgear.rankers.lexgear.weighting.weights import LEAF_SCORES, LeafScores
from lexgear.rankers.scope import Scope
from lexgear.search.scorer import LogP, Result, ranked


class VectorFusion(Lexgear):
    """Scores every document: BM25 plus w · vector similarity, both in units of their standard deviation."""

    name = "vector_fusion"
    ranks_by_charges = False

    def __init__(self, settings: Any = None) -> None:
        super().__init__(replace(settings or LexgearSettings(), legal_terms=False))

    @classmethod
    def beside(cls, trained: Lexgear) -> Self:
        """Return a fusion that shares everything learnt with a trained ranker, but not its legal terms."""
        other = super().beside(trained)
        other.parts.inputs = copy(other.parts.inputs)
        other.parts.inputs.legal_terms = None
        return other

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Compute the features of `lexgear`, then learn the weight."""
        return super()._fit(collection, progress)._learn_weight(collection)

    def _with_queries(self, collection: Collection, progress: Progress) -> Self:
        """Return a fusion over the same documents with a weight learnt from other queries."""
        return super()._with_queries(collection, progress)._learn_weight(collection)

    def _learn_weight(self, collection: Collection) -> Self:
        split = self.training.split(collection, learns_weights=self.settings.training.epochs > 0)
        self.inference.query_matrix = None
        queries = labelled_queries(self, collection, teaching_queries(self, split.weighing or split.learnt))
        candidates = [
            [Candidates(one.grades[some], one.leaves.words[some], one.leaves.content[some, None]) for some in one.lists]
            for one in queries
        ]
        [content] = ranking_weights(candidates, np.array([start_weights(self).content]))
        weights = dict.fromkeys(LEAF_SCORES, 0.0) | {"charge": 0.0, "content": float(content)}
        self.inference.weights = self.inference.weights.changed(**weights)
        return self

    def _best(self, query: Query, features: QueryFeatures, leaves: LeafScores, k: int, scope: Scope) -> Result:
        found = np.flatnonzero(self._allowed(query, features, leaves, scope))
        scores = leaves.combined(self.inference.weights)[found]
        hits = ranked(found, scores, self.documents.ties(found), k)
        return Result(hits, expanded=0, log_p=self.inference.law_log_p(features))

    def charge_score(self, log_p: LogP) -> float:
        """Return 0: charges have no part in the score."""
        return 0.0
