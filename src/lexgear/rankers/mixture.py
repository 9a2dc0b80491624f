"""How charges, words and content are weighed, learnt on training queries the generator has not seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.search.scorer import LogP

TOP = 10
LAW_WORDS, CHARGE, CONTENT = (0.0, 2.0, 5.0, 10.0, 20.0), (0.25, 0.5, 1.0, 2.0), (0.0, 0.25, 0.5)
"""The grid: small, since there are few labelled queries to choose on."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """Weights of the ranking score, and of the map from a charge's share to its probability."""

    law_words: float = 5.0
    """Of the words under a law node beside the generator's probability of it."""
    charge: float = 0.5
    """w of the ranking score: of log P(charge)."""
    content: float = 0.25
    """Of the likeness of vectors, beside words, whose weight is 1."""
    slope: float = 1.0
    offset: float = 0.0
    """P(the charge applies) = sigmoid(slope · log share + offset)."""

    def probability(self, log_share: float) -> float:
        """P(the charge applies), from the log of its share of the tree's mass."""
        return float(1 / (1 + np.exp(-(self.slope * max(log_share, FLOOR) + self.offset))))

    def to_row(self) -> dict[str, float]:
        """As plain values."""
        return asdict(self)


FLOOR = -20.0
"""Shares below e^−20 are all the same."""


@dataclass(frozen=True)
class Asked:
    """What is needed of a labelled query to try weights on it."""

    log_p: Mapping[float, NDArray[np.float64]]
    """By weight of the law words: log P of every trie node."""
    words: LogP
    content: LogP
    grades: NDArray[np.int64]
    applies: NDArray[np.bool_]
    """For every charge node whether the charge applies."""


def learn(asked: Sequence[Asked], parents: NDArray[Any], owners: NDArray[Any], charges: NDArray[Any]) -> Mixture:
    """The weights with the best mean nDCG on these queries; the defaults where there are none.

    `parents` and `owners` are, for every ID, the law node above its leaf and its document; `charges` are the trie
    nodes of charges.
    """
    if not asked:
        return Mixture()
    best, chosen = -1.0, Mixture()
    for law_words, charge, content in product(LAW_WORDS, CHARGE, CONTENT):
        value = np.mean([_tried(one, law_words, charge, content, (parents, owners)) for one in asked])
        if value > best + 1e-9:
            best, chosen = float(value), Mixture(law_words, charge, content)
    shares = np.concatenate([one.log_p[chosen.law_words][charges] for one in asked])
    slope, offset = _calibrated(shares, np.concatenate([one.applies for one in asked]))
    return Mixture(chosen.law_words, chosen.charge, chosen.content, slope, offset)


def _tried(
    one: Asked, law_words: float, charge: float, content: float, ids: tuple[NDArray[Any], NDArray[Any]]
) -> float:
    scores = document_scores(one.log_p[law_words], charge, one.words + content * one.content, *ids)
    return _ndcg(scores, one.grades)


def document_scores(log_p: LogP, charge: float, leaf_scores: LogP, parents: NDArray[Any], owners: NDArray[Any]) -> LogP:
    """log Σ over a document's IDs of exp(w · log P(charge)) plus its leaf score, for every document."""
    sums = np.full(len(leaf_scores), -np.inf)
    np.logaddexp.at(sums, owners, charge * log_p[parents])
    return np.asarray(sums + leaf_scores)


def _ndcg(scores: LogP, grades: NDArray[np.int64]) -> float:
    discounts = 1 / np.log2(np.arange(2, TOP + 2))
    gains = (2.0**grades - 1)[np.argsort(-scores, kind="stable")[:TOP]]
    ideal = np.sort(2.0**grades - 1)[::-1][:TOP]
    return float((gains * discounts[: len(gains)]).sum() / max((ideal * discounts[: len(ideal)]).sum(), 1e-9))


def _calibrated(log_shares: LogP, applies: Iterable[bool]) -> tuple[float, float]:
    """Slope and offset of the logistic map with the least log loss; the slope stays positive: order is kept."""
    from scipy.optimize import minimize

    shares, right = np.maximum(log_shares, FLOOR), np.asarray(applies, dtype=np.float64)

    def loss(values: NDArray[np.float64]) -> float:
        logits = np.exp(values[0]) * shares + values[1]
        # A touch of prior: with a handful of queries the data alone would claim certainty.
        return float(np.sum(np.logaddexp(0, logits) - right * logits) + 0.5 * np.sum(values**2))

    found = minimize(loss, np.array([0.0, 1.0]), method="Nelder-Mead").x
    return float(np.exp(found[0])), float(found[1])
