"""The plain fusion that `lexgear` has to beat: BM25 + w · log P(charge), with the charges of the same walk."""

from __future__ import annotations

from typing import Self

import numpy as np

from lexgear.corpus.records import Collection, Query
from lexgear.progress import Progress
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.weighting.labelled_texts import LabelledQuery, labelled_queries, teaching_queries
from lexgear.rankers.lexgear.weighting.listwise import Candidates
from lexgear.rankers.lexgear.weighting.ranking import document_scores, ranking_weights
from lexgear.rankers.lexgear.weighting.weights import LEAF_SCORES, LeafScores
from lexgear.rankers.scope import Scope
from lexgear.search.scorer import LogP, Result, ranked

MIN_LOG_P = -8.0
"""Lower bound of log P(charge): a document under an improbable charge may still share every word."""


class ChargeFusion(Lexgear):
    """Scores every document: BM25 in units of its standard deviation, plus w · log Σ P(charge) over its charges."""

    name = "charge_fusion"

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Train the walk as `lexgear` does, then learn the weight."""
        return super()._fit(collection, progress)._learn_weight(collection)

    def _with_queries(self, collection: Collection, progress: Progress) -> Self:
        """Return a fusion over the same documents with a weight learnt from other queries."""
        return super()._with_queries(collection, progress)._learn_weight(collection)

    @classmethod
    def of(cls, lexgear: Lexgear, collection: Collection) -> Self:
        """Return a fusion with a walk already trained on the collection; its weight is learnt on the same queries."""
        return cls.beside(lexgear)._learn_weight(lexgear.names.collection(collection))

    def _learn_weight(self, collection: Collection) -> Self:
        split = self.training.split(collection, learns_weights=self.settings.training.epochs > 0)
        queries = labelled_queries(self, collection, teaching_queries(self, split.weighing or split.learnt))
        [charge] = ranking_weights([self._candidates(one) for one in queries], np.ones(1))
        weights = dict.fromkeys(LEAF_SCORES, 0.0) | {"charge": float(charge)}
        self.inference.weights = self.inference.weights.changed(**weights)
        return self

    def _best(self, query: Query, features: QueryFeatures, leaves: LeafScores, k: int, scope: Scope) -> Result:
        weights, log_p = self.inference.weights, self.inference.law_log_p(features)
        scores = leaves.combined(weights) + weights.charge * self._charge_log_p(log_p)
        found = np.flatnonzero(self._allowed(query, features, leaves, scope))
        hits = ranked(found, scores[found], self.documents.ties(found), k)
        return Result(hits, expanded=int(np.isfinite(log_p).sum()), log_p=log_p)

    def charge_score(self, log_p: LogP) -> float:
        """Return what the charges of a document add to its score; log P is bounded from below."""
        return self.inference.weights.charge * max(float(np.logaddexp.reduce(log_p)), MIN_LOG_P)

    def _charge_log_p(self, log_p: LogP) -> LogP:
        """Return log Σ P(charge) of every document, by position."""
        nothing, sets = np.zeros(len(self.documents)), self.inference.features.places.of_document
        return np.maximum(document_scores(self.parts.ids.trie, log_p, 1.0, nothing, sets), MIN_LOG_P)

    def _candidates(self, one: LabelledQuery) -> list[Candidates]:
        """Return the lists of candidates of a query with log Σ P(charge) as the only weighted score."""
        log_p = one.text.log_p(self.parts.ids.trie, self.inference.weights)
        charge = self._charge_log_p(log_p)[one.candidates][:, None]
        return [Candidates(one.grades[some], one.leaves.words[some], charge[some]) for some in one.lists]
