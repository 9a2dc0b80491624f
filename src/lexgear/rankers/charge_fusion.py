"""The plain fusion that `lexgear` has to beat: BM25 + w · log P(charge), with the very charges of its walk."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

import numpy as np

from lexgear.corpus.records import Collection, Query
from lexgear.rankers.lexgear import Lexgear
from lexgear.rankers.mixture import LeafParts, Mixture, Ranked, document_scores, learn_ranking
from lexgear.rankers.scope import Scope
from lexgear.rankers.weighing import Facts, ranked_queries
from lexgear.search.scorer import LogP, Result, ranked

LEAST = -8.0
"""Below it, log P(charge) is all the same: a document under an improbable charge may still share every word."""


class ChargeFusion(Lexgear):
    """Every document scored: BM25 in units of its spread, plus w · log Σ P(charge) over its charges."""

    name = "charge_fusion"
    summary = "BM25 + log P(charge) by the walk of lexgear: the plain fusion beside it"

    @classmethod
    def of(cls, lexgear: Lexgear, collection: Collection) -> Self:
        """A fusion with a walk already trained on the collection; its weight is chosen on the same held-out queries."""
        fusion = cls(lexgear.settings)
        vars(fusion).update(vars(lexgear))
        asked = ranked_queries(fusion, collection, fusion._split(collection, weighs=True).weighing)
        plain = replace(fusion.mixture, content=0.0, asked=0.0)
        fusion.mixture = learn_ranking(plain, asked, fusion.scores)
        return fusion

    def _found(self, query: Query, facts: Facts, parts: LeafParts, k: int, scope: Scope) -> Result:
        log_p = self.shares(facts)
        scores = self._fused(log_p, parts.words, self.mixture.charge)
        answers = np.flatnonzero(self._allowed(query, parts.words, scope))
        hits = ranked(answers, scores[answers], self._ties[answers], k)
        return Result(hits, expanded=int(np.isfinite(log_p).sum()), log_p=log_p)

    def _charge_part(self, log_p: LogP) -> float:
        return self.mixture.charge * max(float(np.logaddexp.reduce(log_p)), LEAST)

    def scores(self, one: Ranked, mixture: Mixture) -> LogP:
        """The score of every document, to try weights by."""
        return self._fused(one.tried.log_p(self.ids.trie, mixture), one.parts.words, mixture.charge)

    def _fused(self, log_p: LogP, words: LogP, weight: float) -> LogP:
        charges = document_scores(self.ids.trie, log_p, 1.0, np.zeros(len(words)))
        return np.asarray(words + weight * np.maximum(charges, LEAST))
