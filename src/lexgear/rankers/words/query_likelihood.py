"""Query likelihood with Dirichlet smoothing: Zhai and Lafferty, SIGIR 2001."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Query
from lexgear.lexical.word_index import Weigh, dirichlet_weights
from lexgear.rankers.words.word_ranker import WordRanker, WordSettings
from lexgear.settings import within


@dataclass(frozen=True, slots=True)
class QueryLikelihoodSettings(WordSettings):
    """Settings of `query_likelihood`."""

    mu: float = 1000.0
    """Weight of the collection's language model, in words."""

    def __post_init__(self) -> None:
        WordSettings.__post_init__(self)
        within("mu", self.mu, 1, 1_000_000)


class QueryLikelihood(WordRanker):
    """log P(query | document), up to a constant of the collection.

    Per query of n known words: Σ log(1 + tf / (μ · P(word))) + n · log(μ / (length + μ)).
    """

    name = "query_likelihood"
    settings_type = QueryLikelihoodSettings

    def weigh(self) -> Weigh:
        """Return the smoothed log weight of a word in a document."""
        return dirichlet_weights(self.settings.mu)

    def scores(self, query: Query) -> NDArray[Any]:
        """Return the log likelihood of the query's words; minus infinity if a document has none of them."""
        words = self.index.known(self.segment(query.text))
        sums, mu = self.index.sums(words), self.settings.mu
        lengths = np.concatenate([one.counted.counts.lengths for one in self.segments])
        return np.where(sums > 0, sums + len(words) * np.log(mu / (lengths + mu)), -np.inf)
