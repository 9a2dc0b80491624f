"""The plain fusion that `lexgear` has to beat: BM25 + w · log P(charge), with the very charges of its walk."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

import numpy as np

from lexgear.corpus.records import Collection, Query
from lexgear.progress import Progress, silent
from lexgear.rankers.lexgear.listwise import Listed, learn_weights
from lexgear.rankers.lexgear.ranker import Lexgear
from lexgear.rankers.lexgear.weight_learning import Facts, ranked_queries
from lexgear.rankers.lexgear.weights import LEAF, LeafParts, Ranked, document_scores
from lexgear.rankers.scope import Scope
from lexgear.search.scorer import LogP, Result, ranked

LEAST = -8.0
"""Below it, log P(charge) is all the same: a document under an improbable charge may still share every word."""


class ChargeFusion(Lexgear):
    """Every document scored: BM25 in units of its spread, plus w · log Σ P(charge) over its charges."""

    name = "charge_fusion"
    summary = "BM25 + log P(charge) by the walk of lexgear: the plain fusion beside it"

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Trains the walk as `lexgear` does, then learns its own weight."""
        return super().fit(collection, progress)._weighed(collection)

    def taught(self, collection: Collection, progress: Progress = silent) -> Self:
        """The same over the same documents, taught by other queries."""
        return super().taught(collection, progress)._weighed(collection)

    @classmethod
    def of(cls, lexgear: Lexgear, collection: Collection) -> Self:
        """A fusion with a walk already trained on the collection; its weight is learnt on the same queries."""
        return cls.beside(lexgear)._weighed(collection)

    @classmethod
    def beside(cls, lexgear: Lexgear) -> Self:
        """The same walk and documents, its own weight still to learn."""
        fusion = cls(lexgear.settings)
        vars(fusion).update(vars(lexgear))
        return fusion

    def _weighed(self, collection: Collection) -> Self:
        split = self._split(collection, weighs=self.settings.epochs > 0)
        asked = ranked_queries(self, collection, split.weighing or split.learnt)
        [charge] = learn_weights([self._listed(one) for one in asked], np.ones(1))
        self.mixture = replace(self.mixture, charge=float(charge), **dict.fromkeys(LEAF, 0.0))
        return self

    def _found(self, query: Query, facts: Facts, parts: LeafParts, k: int, scope: Scope) -> Result:
        log_p = self.shares(facts)
        scores = parts.mixed(self.mixture) + self.mixture.charge * self._charges(log_p)
        answers = np.flatnonzero(self._allowed(query, parts.words, scope))
        hits = ranked(answers, scores[answers], self._tie_order[answers], k)
        return Result(hits, expanded=int(np.isfinite(log_p).sum()), log_p=log_p)

    def _charge_part(self, log_p: LogP) -> float:
        return self.mixture.charge * max(float(np.logaddexp.reduce(log_p)), LEAST)

    def _charges(self, log_p: LogP) -> LogP:
        """log Σ P(charge) of every document, by position."""
        nothing = np.zeros(len(self._names))
        return np.maximum(document_scores(self.ids.trie, log_p, 1.0, nothing), LEAST)

    def _listed(self, one: Ranked) -> Listed:
        """The candidates of a query, with the sum of their charges as the one part that is weighed."""
        charges = self._charges(one.tried.log_p(self.ids.trie, self.mixture))[one.candidates]
        return Listed(one.grades, one.parts.words, charges[:, None])
