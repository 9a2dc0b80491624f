"""Weights of generator, words and content, learnt on queries and judgments the generator has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.rankers.lexgear.features.law_centroids import potentials
from lexgear.rankers.lexgear.law_walk import mixed_law
from lexgear.rankers.lexgear.weighting.listwise import Candidates, weights_and_loss
from lexgear.search.scorer import Ints, LogP

GENERATOR_GRID, LAW_WORDS_GRID = (0.0, 0.1, 0.25), (10.0, 20.0, 30.0, 40.0, 80.0)
"""Grids of the walk's weights, small because there is little data to choose on. The generator's weights are low:
held-out judgments resemble those it was trained on and would favour it more than queries do (docs/lab.md)."""
LEAF_SCORES = ("content", "concepts", "past_questions", "nearest_question", "id_count")
"""Leaf scores beside words, each with a weight of the same name."""
DISK_NAMES = {"past_questions": "asked", "nearest_question": "nearest", "id_count": "alone"}
"""Fields that have another name in the files of an index."""
FIELD_NAMES = {on_disk: name for name, on_disk in DISK_NAMES.items()}
MIN_LOG_SHARE = -20.0
"""Lower bound of log shares in the calibration."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the walk and of the ranking score, and the map from a charge's share to its probability."""

    generator: float = 0.1
    """Weight of the generator's log-probability of a step, beside the words."""
    law_words: float = 20.0
    """Weight of a text's nearness to the cases under a charge: how sharply the words decide."""
    charge: float = 3.0
    """Weight of log Σ P(charge), w of the ranking score."""
    content: float = 0.1
    """Weight of vector similarity; the weight of words is 1."""
    concepts: float = 0.3
    """Weight of concept similarity."""
    past_questions: float = 1.0
    """Weight of the nearness to all training queries that a document answered."""
    nearest_question: float = 0.3
    """Weight of the nearness to the nearest of them."""
    id_count: float = 0.05
    """Weight of minus the log of the number of IDs."""
    slope: float = 1.0
    offset: float = 0.0
    """P(the charge applies) = sigmoid(slope · log share + offset)."""

    def probability(self, log_share: float) -> float:
        """Return the probability that a charge applies, from the log of its share of the tree's mass."""
        return float(1 / (1 + np.exp(-(self.slope * max(log_share, MIN_LOG_SHARE) + self.offset))))

    def to_row(self) -> dict[str, float]:
        """Return the weights as plain values, under their names on disk."""
        return {DISK_NAMES.get(name, name): value for name, value in asdict(self).items()}

    @classmethod
    def from_row(cls, row: Mapping[str, float]) -> Weights:
        """Return the weights that `to_row` wrote."""
        return cls(**{FIELD_NAMES.get(name, name): value for name, value in row.items()})


@dataclass(frozen=True)
class LabelledText:
    """A text with known charges, as needed to evaluate weights of the walk on it."""

    generated: LogP
    """log P of every law node by the generator alone."""
    nearness: LogP
    """Nearness of the text to the cases at each node."""
    applies: NDArray[np.bool_]
    """For every charge node, True if the charge applies."""

    def log_p(self, trie: Trie, weights: Weights) -> LogP:
        """Return log P of every law node by generator and words together."""
        reach = potentials(trie, self.nearness, weights.law_words)
        return mixed_law(trie, self.generated, reach, weights.generator)


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
    """Nearness of the query to all training queries that the document answered."""
    nearest_question: LogP
    """Nearness to the nearest of them."""
    id_count: LogP
    """Minus the log of its number of IDs."""

    def combined(self, weights: Weights) -> LogP:
        """Return s(query, document), the weighted sum."""
        return np.asarray(self.words + self.columns() @ [getattr(weights, name) for name in LEAF_SCORES])

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


@dataclass(frozen=True)
class LabelledQuery:
    """A query with graded candidates, as needed to learn the weights of the ranking score."""

    text: LabelledText
    candidates: Ints
    """Positions of the documents to rank."""
    leaves: LeafScores
    """Leaf scores of the candidates."""
    grades: Ints
    known: bool = False
    """True if the base model was trained on the query; the generator is then left out."""


def learn_walk(trie: Trie, charges: Ints, texts: Sequence[LabelledText], *, generates: bool = True) -> Weights:
    """Return the best weights of `walk_grid`."""
    return walk_grid(trie, charges, texts, generates=generates)[0]


def walk_grid(trie: Trie, charges: Ints, texts: Sequence[LabelledText], *, generates: bool = True) -> list[Weights]:
    """Return all weights of the grid, best first: by the log loss of calibrated probabilities over all charges.

    `charges` are the trie nodes of charges; without any, or without texts, the defaults are returned. Without
    `generates` the walk goes by words alone.
    """
    if not len(charges) or not texts:
        return [Weights() if generates else Weights(generator=0.0)]
    applies = np.concatenate([one.applies for one in texts])

    def evaluate(generator: float, law_words: float) -> tuple[float, Weights]:
        walk = Weights(generator, law_words)
        loss, slope, offset = calibrated(np.concatenate([one.log_p(trie, walk)[charges] for one in texts]), applies)
        return loss, replace(walk, slope=slope, offset=offset)

    grid = [evaluate(own, words) for words in LAW_WORDS_GRID for own in (GENERATOR_GRID if generates else (0.0,))]
    return [walk for _, walk in sorted(grid, key=lambda pair: pair[0])]


def learn_ranking(walks: Sequence[Weights], queries: Sequence[LabelledQuery], trie: Trie) -> Weights:
    """Return the walk that ranks these queries best, with the weights of the ranking score learnt from them."""

    def learn(walk: Weights) -> tuple[float, Weights]:
        start = np.array([getattr(walk, name) for name in ("charge", *LEAF_SCORES)])
        weights, loss = weights_and_loss([candidates_of(one, walk, trie) for one in queries], start)
        return loss, replace(walk, **dict(zip(("charge", *LEAF_SCORES), map(float, weights), strict=True)))

    return min(map(learn, walks), key=lambda pair: pair[0])[1]


def candidates_of(one: LabelledQuery, walk: Weights, trie: Trie) -> Candidates:
    """Return the candidates of a query with log Σ P(charge) by a walk."""
    leaves = [trie.leaves_of(position) for position in one.candidates.tolist()]
    starts = np.cumsum([0, *map(len, leaves[:-1])])
    log_p = np.logaddexp.reduceat(one.text.log_p(trie, walk)[trie.parent[np.concatenate(leaves)]], starts)
    return Candidates(one.grades, one.leaves.words, np.column_stack([log_p, one.leaves.columns()]))


def document_scores(trie: Trie, log_p: LogP, charge: float, leaf_scores: LogP) -> LogP:
    """Return w · log Σ P(charge) over a document's IDs plus its leaf score, for every document."""
    leaves = np.flatnonzero(trie.leaf_mask)
    sums = np.full(len(leaf_scores), -np.inf)
    np.logaddexp.at(sums, trie.document[leaves], log_p[trie.parent[leaves]])
    return np.asarray(charge * sums + leaf_scores)


def calibrated(log_shares: LogP, applies: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Fit a logistic map from log shares to probabilities; return its log loss, slope and offset.

    The slope stays positive, so that order is kept. A weak prior keeps a handful of texts from giving certainty.
    """
    from scipy.optimize import minimize

    shares, right = np.maximum(log_shares, MIN_LOG_SHARE), np.asarray(applies, dtype=np.float64)

    def loss(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        slope, offset = np.exp(values[0]), values[1]
        logits = slope * shares + offset
        errors = 1 / (1 + np.exp(-logits)) - right
        value = np.sum(np.logaddexp(0, logits) - right * logits) + 0.5 * np.sum(values**2)
        return float(value), np.array([slope * np.sum(errors * shares), np.sum(errors)]) + values

    found = minimize(loss, np.array([0.0, 1.0]), jac=True, method="L-BFGS-B", bounds=[(-3, 3), (-20, 20)])
    return float(found.fun), float(np.exp(found.x[0])), float(found.x[1])
