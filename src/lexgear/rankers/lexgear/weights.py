"""How generator, words and content are weighed, learnt on queries and judgments the generator has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.rankers.lexgear.law_centroids import potentials
from lexgear.rankers.lexgear.law_walk import mixed_law
from lexgear.rankers.lexgear.listwise import Listed, weights_and_loss
from lexgear.search.scorer import Ints, LogP

GENERATOR, LAW_WORDS = (0.0, 0.1, 0.25), (10.0, 20.0, 30.0, 40.0, 80.0)
"""The grids of the walk: small, since there is little to choose on. Words lead: judgments kept out are like those that
the generator has learnt from, and would trust it more than queries should (docs/lab.md)."""
LEAF = ("content", "concepts", "asked", "nearest", "alone")
"""The parts of a leaf's score beside words, each with a weight of the same name."""
FLOOR = -20.0
"""Shares below e^−20 are all the same."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """Weights of the walk and of the ranking score, and the map from a charge's share to its probability."""

    generator: float = 0.1
    """Of the generator's log-probability of a step, beside the words'."""
    law_words: float = 20.0
    """Of the likeness of a text to the cases under a charge: how sharply the words decide."""
    charge: float = 3.0
    """w of the ranking score: of log Σ P(charge)."""
    content: float = 0.1
    """Of the likeness of vectors, beside words, whose weight is 1."""
    concepts: float = 0.3
    """Of the likeness of what texts are about."""
    asked: float = 1.0
    """Of the nearness to training queries that a document answered, all of them together."""
    nearest: float = 0.3
    """Of the nearness to the nearest of them."""
    alone: float = 0.05
    """Of having few IDs: of minus the log of their number."""
    slope: float = 1.0
    offset: float = 0.0
    """P(the charge applies) = sigmoid(slope · log share + offset)."""

    def probability(self, log_share: float) -> float:
        """P(the charge applies), from the log of its share of the tree's mass."""
        return float(1 / (1 + np.exp(-(self.slope * max(log_share, FLOOR) + self.offset))))

    def to_row(self) -> dict[str, float]:
        """As plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Tried:
    """What is needed of a text with known charges to try the weights of the walk on it."""

    generated: LogP
    """log P of every law node, by the generator alone."""
    nearness: LogP
    """Of the text to the cases at each node."""
    applies: NDArray[np.bool_]
    """For every charge node whether the charge applies."""

    def log_p(self, trie: Trie, mixture: Mixture) -> LogP:
        """log P of every law node, by both."""
        reach = potentials(trie, self.nearness, mixture.law_words)
        return mixed_law(trie, self.generated, reach, mixture.generator)


@dataclass(frozen=True)
class LeafParts:
    """What speaks for each document beside its charges, by position."""

    words: LogP
    """BM25, in units of its spread over the documents."""
    content: LogP
    """The likeness of vectors, likewise."""
    concepts: LogP
    """The likeness of what texts are about, likewise."""
    asked: LogP
    """How near the query comes to those the document answered before, all together."""
    nearest: LogP
    """How near to the nearest of them."""
    alone: LogP
    """Minus the log of how many IDs it has."""

    def mixed(self, mixture: Mixture) -> LogP:
        """s(query, document), all of them together."""
        return np.asarray(self.words + self.columns() @ [getattr(mixture, name) for name in LEAF])

    def of(self, documents: Ints) -> LeafParts:
        """Those of some documents."""
        return LeafParts(**{name: getattr(self, name)[documents] for name in ("words", *LEAF)})

    def best(self, count: int) -> set[int]:
        """The documents for which one of the parts speaks most, so many of each."""
        every = [part for name in ("words", *LEAF) if (part := getattr(self, name)).any()]
        return {at for part in every for at in np.argsort(-part, kind="stable")[:count].tolist()}

    def columns(self) -> NDArray[np.float64]:
        """(documents, parts): those that have a weight, in the order of `LEAF`."""
        return np.stack([getattr(self, name) for name in LEAF], axis=1)


@dataclass(frozen=True)
class Ranked:
    """What is needed of a query to learn the weights of the ranking score on it."""

    tried: Tried
    candidates: Ints
    """The documents among which it ranks, by position."""
    parts: LeafParts
    """Of the candidates."""
    grades: Ints
    known: bool = False
    """Whether the generator has learnt from it, and was not asked."""


def learn_walk(trie: Trie, charges: Ints, tried: Sequence[Tried], *, generates: bool = True) -> Mixture:
    """The first of `walks`."""
    return walks(trie, charges, tried, generates=generates)[0]


def walks(trie: Trie, charges: Ints, tried: Sequence[Tried], *, generates: bool = True) -> list[Mixture]:
    """The grid, by how well calibrated probabilities tell which charges apply (the least log loss over all of them).

    `charges` are the trie nodes of charges; where there are none, or no texts, the defaults stay. A walk that does not
    generate goes by words alone.
    """
    if not len(charges) or not tried:
        return [Mixture() if generates else Mixture(generator=0.0)]
    applies = np.concatenate([one.applies for one in tried])

    def weighed(generator: float, law_words: float) -> tuple[float, Mixture]:
        walk = Mixture(generator, law_words)
        loss, slope, offset = calibrated(np.concatenate([one.log_p(trie, walk)[charges] for one in tried]), applies)
        return loss, replace(walk, slope=slope, offset=offset)

    grid = [weighed(own, words) for words in LAW_WORDS for own in (GENERATOR if generates else (0.0,))]
    return [walk for _, walk in sorted(grid, key=lambda pair: pair[0])]


def learn_ranking(tried: Sequence[Mixture], asked: Sequence[Ranked], trie: Trie) -> Mixture:
    """The walk by which these queries are ranked best, with the weights of the ranking score that they teach."""

    def taught(walk: Mixture) -> tuple[float, Mixture]:
        start = np.array([getattr(walk, name) for name in ("charge", *LEAF)])
        weights, loss = weights_and_loss([listed(one, walk, trie) for one in asked], start)
        return loss, replace(walk, **dict(zip(("charge", *LEAF), map(float, weights), strict=True)))

    return min(map(taught, tried), key=lambda pair: pair[0])[1]


def listed(one: Ranked, walk: Mixture, trie: Trie) -> Listed:
    """The candidates of a query with the charges that the walk gives them."""
    leaves = [trie.leaves_of(place) for place in one.candidates.tolist()]
    starts = np.cumsum([0, *map(len, leaves[:-1])])
    log_p = np.logaddexp.reduceat(one.tried.log_p(trie, walk)[trie.parent[np.concatenate(leaves)]], starts)
    return Listed(one.grades, one.parts.words, np.column_stack([log_p, one.parts.columns()]))


def document_scores(trie: Trie, log_p: LogP, charge: float, leaf_scores: LogP) -> LogP:
    """w · log Σ P(charge) over a document's IDs plus its leaf score, for every document."""
    leaves = np.flatnonzero(trie.leaf_mask)
    sums = np.full(len(leaf_scores), -np.inf)
    np.logaddexp.at(sums, trie.document[leaves], log_p[trie.parent[leaves]])
    return np.asarray(charge * sums + leaf_scores)


def calibrated(log_shares: LogP, applies: NDArray[np.bool_]) -> tuple[float, float, float]:
    """The logistic map from log shares with the least log loss: that loss, slope and offset.

    The slope stays positive: order is kept. A touch of prior keeps a handful of texts from claiming certainty.
    """
    from scipy.optimize import minimize

    shares, right = np.maximum(log_shares, FLOOR), np.asarray(applies, dtype=np.float64)

    def loss(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        slope, offset = np.exp(values[0]), values[1]
        logits = slope * shares + offset
        errors = 1 / (1 + np.exp(-logits)) - right
        value = np.sum(np.logaddexp(0, logits) - right * logits) + 0.5 * np.sum(values**2)
        return float(value), np.array([slope * np.sum(errors * shares), np.sum(errors)]) + values

    found = minimize(loss, np.array([0.0, 1.0]), jac=True, method="L-BFGS-B", bounds=[(-3, 3), (-20, 20)])
    return float(found.fun), float(np.exp(found.x[0])), float(found.x[1])
