"""Weights of the walk and of the ranking score, and the scores of documents beside their charges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.rankers.lexgear.weighting.calibration import MAX_LOG_ODDS, log_odds
from lexgear.search.scorer import Ints, LogP

LEAF_SCORES = ("content", "concepts", "past_questions", "nearest_question", "legal_terms")
"""Leaf scores beside words, each with a weight of the same name."""
RANKING = ("charge", *LEAF_SCORES)
"""Weights of the ranking score; that of words is 1."""
MAX_WEIGHT = 1e6
"""Largest weight; learnt ones are below 1,000."""
OLD_NAMES = {"asked": "past_questions", "nearest": "nearest_question"}
"""Names of weights in indexes of earlier versions; their weight `alone` no longer exists."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the walk and of the ranking score, and the map from a charge's share to its probability."""

    generator: float = 0.5
    """Weight of the generator's log-probability of a step, beside the words."""
    law_words: float = 10.0
    """Weight of a text's nearness to the cases under a charge: how sharply the words decide."""
    matters: float = 0.0
    """Weight of the log-probability of a charge by the classifier of matters."""
    charge: float = 1.0
    """Weight of log Σ P(charge), w of the ranking score."""
    content: float = 1.0
    """Weight of vector similarity; the weight of words is 1."""
    concepts: float = 1.0
    """Weight of concept similarity."""
    past_questions: float = 1.0
    """Weight of the share of a document in the vote of the training queries."""
    nearest_question: float = 1.0
    """Weight of the nearness to the nearest training query that a document answered."""
    legal_terms: float = 0.2
    """Weight of the legal terms for everyday expressions of the query."""
    slope: float = 1.0
    offset: float = 0.0
    """P(the charge applies) = sigmoid(slope · log odds of its share + offset)."""
    lay_walk: bool = True
    """True if lay texts are walked with the weights that the base model has learnt for lay texts, if it has any."""
    odds: bool = True
    """False for weights of earlier versions, whose map took the log of the share: it never reached certainty."""

    def changed(self, **weights: float) -> Weights:
        """Return the same weights but for some."""
        values: dict[str, Any] = dict(weights)
        return replace(self, **values)

    def probability(self, log_share: float) -> float:
        """Return the probability that a charge applies, from the log of its share of the tree's mass."""
        evidence = log_odds(np.array(log_share)) if self.odds else max(log_share, -MAX_LOG_ODDS)
        return float(1 / (1 + np.exp(-(self.slope * evidence + self.offset))))

    @property
    def ranking(self) -> NDArray[np.float64]:
        """Weights of the ranking score, in the order of `RANKING`."""
        return np.array([getattr(self, name) for name in RANKING])

    def to_row(self) -> dict[str, float]:
        """Return the weights as plain values."""
        return asdict(self)

    @classmethod
    def from_row(cls, row: Mapping[str, float]) -> Weights:
        """Return the weights that `to_row` wrote, in this or an earlier version."""
        own: dict[str, Any] = {OLD_NAMES.get(name, name): value for name, value in row.items() if name != "alone"}
        for name, value in own.items():
            if not isinstance(value, int | float) or not abs(value) <= MAX_WEIGHT or (name == "charge" and value < 0):
                raise ValueError(f"the weight {name!r} is {value!r}")
        return cls(**{"legal_terms": 0.0} | own | {"odds": bool(row.get("odds", False))})


START = Weights()


@dataclass(frozen=True)
class LeafScores:
    """Scores of each document beside its charges, by position."""

    words: LogP
    """BM25, in units of its standard deviation over the documents."""
    content: LogP
    """Vector similarity, in the same units."""
    concepts: LogP
    """Concept similarity, in the same units."""
    past_questions: LogP
    """Share of the document in the vote of the training queries near the query."""
    nearest_question: LogP
    """Nearness of the query to the nearest training query that the document answered."""
    legal_terms: LogP
    """BM25 of the legal terms for everyday expressions of the query, in the unit of words."""

    def combined(self, weights: Weights) -> LogP:
        """Return s(query, document), the weighted sum."""
        total = self.words.copy()
        for name in LEAF_SCORES:  # one after the other: a matrix product may sum the last rows in another order
            if weight := getattr(weights, name):
                total += weight * getattr(self, name)
        return total

    def contributions(self, weights: Weights, position: int) -> dict[str, float]:
        """Return what each part of an explanation gives to s(query, document)."""
        given = {name: float(getattr(weights, name) * getattr(self, name)[position]) for name in LEAF_SCORES}
        return {
            "words": float(self.words[position]),
            "content": given["content"] + given["concepts"],
            "past_questions": given["past_questions"] + given["nearest_question"],
            "legal_terms": given["legal_terms"],
        }

    def of(self, documents: Ints) -> LeafScores:
        """Return the scores of some documents."""
        return LeafScores(**{name: getattr(self, name)[documents] for name in ("words", *LEAF_SCORES)})

    def best(self, count: int) -> set[int]:
        """Return the `count` best documents by each of the scores."""
        scores = [part for name in ("words", *LEAF_SCORES) if (part := getattr(self, name)).any()]
        return {at for part in scores for at in np.argsort(-part, kind="stable")[:count].tolist()}

    def columns(self) -> NDArray[np.float64]:
        """Return the weighted scores as columns, in the order of `LEAF_SCORES`."""
        return np.stack([getattr(self, name) for name in LEAF_SCORES], axis=1)
