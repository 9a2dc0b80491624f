"""Weights of generator, words and content, learnt on queries and judgments the generator has not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.trie import Trie
from lexgear.rankers.lexgear.features.law_centroids import potentials
from lexgear.rankers.lexgear.law_walk import mixed_law
from lexgear.rankers.lexgear.weighting.coordinate_ascent import ascend
from lexgear.rankers.lexgear.weighting.listwise import Candidates, held_out_loss, learn_weights
from lexgear.search.scorer import Ints, LogP

GENERATOR_GRID, LAW_WORDS_GRID = (0.0, 0.25, 0.5, 1.0, 2.0), (0.0, 5.0, 10.0, 20.0, 40.0, 80.0)
"""Grids of the walk's weights, in steps of a factor of two from nothing to more than anyone needs."""
MATTERS_GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Grid of the weight of the classifier of matters, if the texts were read by one."""
LEAF_SCORES = ("content", "concepts", "past_questions", "nearest_question", "legal_terms")
"""Leaf scores beside words, each with a weight of the same name."""
RANKING = ("charge", *LEAF_SCORES)
"""Weights of the ranking score; that of words is 1."""
OLD_NAMES = {"asked": "past_questions", "nearest": "nearest_question"}
"""Names of weights in indexes of earlier versions; their weight `alone` no longer exists."""
MAX_LOG_ODDS = 20.0
"""Bound of the log odds of shares in the calibration."""


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
    """True if short texts are walked with the weights that the base model has learnt for lay texts, if it has any."""
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
        return cls(**{"legal_terms": 0.0} | own | {"odds": bool(row.get("odds", False))})


START = Weights()


@dataclass(frozen=True)
class LabelledText:
    """A text with known charges, as needed to evaluate weights of the walk on it."""

    generated: LogP
    """log P of every law node by the generator alone."""
    nearness: LogP
    """Nearness of the text to the cases at each node."""
    applies: NDArray[np.bool_]
    """For every charge node, True if the charge applies."""
    classified: LogP | None = None
    """log P of the charge at each node by the classifier of matters, if there is one."""

    def log_p(self, trie: Trie, weights: Weights) -> LogP:
        """Return log P of every law node by generator and words together."""
        scores = weights.law_words * self.nearness
        if weights.matters and self.classified is not None:
            scores = scores + weights.matters * self.classified
        return mixed_law(trie, self.generated, potentials(trie, scores), weights.generator)


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


@dataclass(frozen=True)
class LabelledQuery:
    """A query with graded candidates, as needed to learn the weights of the ranking score."""

    text: LabelledText
    candidates: Ints
    """Positions of the documents to rank."""
    sets: Ints
    """Set of places of each candidate, a target of the trie."""
    leaves: LeafScores
    """Leaf scores of the candidates."""
    grades: Ints
    lists: tuple[Ints, ...]
    """Lists of candidates to be ranked, each on its own: the first of the corpus and, if there is one, the pool."""


def learn_walk(trie: Trie, charges: Ints, texts: Sequence[LabelledText], *, generates: bool = True) -> Weights:
    """Return the weights of `walk_grid` with the least loss."""
    return min(walk_grid(trie, charges, texts, generates=generates), key=lambda pair: pair[0])[1]


def walk_grid(
    trie: Trie,
    charges: Ints,
    judgments: Sequence[LabelledText],
    queries: Sequence[LabelledText] = (),
    start: Weights = START,
    *,
    generates: bool = True,
) -> list[tuple[float, Weights]]:
    """Return all weights of the grid, each with the log loss per text of calibrated probabilities over all charges.

    `charges` are the trie nodes of charges; without any, or without texts, the start is returned. Together the
    judgments count at most as much as the queries, since they resemble what the generator was trained on and the texts
    of users do not. Without `generates` the walk goes by words alone.
    """
    start = start if generates else replace(start, generator=0.0)
    texts = [*judgments, *queries]
    if not len(charges) or not texts:
        return [(0.0, start)]
    applies = np.concatenate([one.applies for one in texts])
    share = min(1.0, len(queries) / max(len(judgments), 1)) if queries else 1.0
    counts = np.repeat([share] * len(judgments) + [1.0] * len(queries), len(charges))

    def evaluate(generator: float, law_words: float, matters: float) -> tuple[float, Weights]:
        walk = replace(start, generator=generator, law_words=law_words, matters=matters)
        log_shares = np.concatenate([one.log_p(trie, walk)[charges] for one in texts])
        loss, slope, offset = calibrated(log_shares, applies, counts)
        return loss * len(charges) / counts.sum(), replace(walk, slope=slope, offset=offset)

    classified = all(one.classified is not None for one in texts)
    grids = GENERATOR_GRID if generates else (0.0,), LAW_WORDS_GRID, MATTERS_GRID if classified else (start.matters,)
    return [evaluate(own, words, matters) for own, words, matters in product(*grids)]


def learn_ranking(walks: Sequence[tuple[float, Weights]], queries: Sequence[LabelledQuery], trie: Trie) -> Weights:
    """Return the walk with the least sum of losses, with the weights of the ranking score learnt from queries.

    Each walk comes with its loss per text in naming charges, to which its loss per query in ranking is added: the walk
    that names charges best is not the one that ranks best.
    """

    def total_loss(pair: tuple[float, Weights]) -> float:
        loss, walk = pair
        lists = [part for one in queries for part in candidates_of(one, walk, trie)]
        return loss + held_out_loss(lists, walk.ranking)

    _, walk = min(walks, key=total_loss) if len(walks) > 1 else walks[0]
    weights = ranking_weights([candidates_of(one, walk, trie) for one in queries], walk.ranking)
    return walk.changed(**dict(zip(RANKING, map(float, weights), strict=True)))


def ranking_weights(queries: Sequence[Sequence[Candidates]], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of the ranking score, learnt from the lists of candidates of each query.

    Queries with pools have graded labels of many documents: the weights with the best nDCG@10 of corpus and pools are
    taken, since those of the listwise loss rank pools worse (docs/lab.md). Other queries have a few answers each, and
    the listwise loss learns more from them.
    """
    lists = [part for own in queries for part in own]
    weights = learn_weights(lists, start)
    return ascend(lists, weights) if any(len(own) > 1 for own in queries) else weights


def candidates_of(one: LabelledQuery, walk: Weights, trie: Trie) -> list[Candidates]:
    """Return the lists of candidates of a query with log Σ P(charge) by a walk."""
    leaves = [trie.leaves_of(number) for number in one.sets.tolist()]
    starts = np.cumsum([0, *map(len, leaves[:-1])])
    log_p = np.logaddexp.reduceat(one.text.log_p(trie, walk)[trie.parent[np.concatenate(leaves)]], starts)
    parts = np.column_stack([log_p, one.leaves.columns()])
    return [Candidates(one.grades[some], one.leaves.words[some], parts[some]) for some in one.lists]


def document_scores(trie: Trie, log_p: LogP, charge: float, leaf_scores: LogP, sets: Ints | None = None) -> LogP:
    """Return w · log Σ P(charge) over a document's IDs plus its leaf score, for every document.

    `sets` are the targets of the trie under which the documents stand, by default those of the same number.
    """
    leaves = np.flatnonzero(trie.leaf_mask)
    numbers = np.arange(len(leaf_scores)) if sets is None else sets
    sums = np.full(max(int(numbers.max(initial=-1)), int(trie.document.max(initial=-1))) + 1, -np.inf)
    np.logaddexp.at(sums, trie.document[leaves], log_p[trie.parent[leaves]])
    return np.asarray(charge * sums[numbers] + leaf_scores)


def calibrated(
    log_shares: LogP, applies: NDArray[np.bool_], counts: NDArray[np.float64] | None = None
) -> tuple[float, float, float]:
    """Fit a logistic map from the log odds of shares to probabilities; return its log loss, slope and offset.

    `counts` says how much each of them counts, by default 1.

    The slope stays positive, so that order is kept. A weak prior keeps a handful of texts from giving certainty.
    """
    from scipy.optimize import minimize

    shares, right = log_odds(log_shares), np.asarray(applies, dtype=np.float64)
    counts = np.ones(len(shares)) if counts is None else counts

    def loss(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        slope, offset = np.exp(values[0]), values[1]
        logits = slope * shares + offset
        errors = counts * (1 / (1 + np.exp(-logits)) - right)
        value = counts @ (np.logaddexp(0, logits) - right * logits) + 0.5 * np.sum(values**2)
        return float(value), np.array([slope * np.sum(errors * shares), np.sum(errors)]) + values

    found = minimize(loss, np.array([0.0, 1.0]), jac=True, method="L-BFGS-B", bounds=[(-3, 3), (-20, 20)])
    return float(found.fun), float(np.exp(found.x[0])), float(found.x[1])


def log_odds(log_shares: LogP) -> LogP:
    """Return log(share / (1 − share)) within bounds, from the logs of shares."""
    certain = -1e-9  # a share of 1 has no odds
    below = np.minimum(log_shares, certain)
    return np.asarray(np.clip(below - np.log1p(-np.exp(below)), -MAX_LOG_ODDS, MAX_LOG_ODDS))
