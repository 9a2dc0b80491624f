"""Weights of the ranking score, learnt from graded queries by a listwise loss (ListNet: Cao et al., 2007).

Over the candidates of a query, the softmax of their scores should match their shares of the gain 2^grade − 1. The
sharpness of the softmax is learnt too and then dropped, since it does not change the ranking. Weights are positive
and are pulled towards their start, as strongly as held-out queries favour. The loss is convex in sharpness · weights:
it has one minimum, and nothing depends on where the optimisation starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lexgear.search.scorer import Ints

PULLS = (0.1, 1.0, 10.0, 100.0)
"""Costs of doubling a weight to choose from; making a query e times less likely costs 1."""
FOLDS = 5
"""Parts that the queries are divided into to choose the pull."""
MIN_SHARPNESS = 0.1
"""Least sharpness of the start: a start that ranks badly must not seem to be certain of weights near 0."""
MIN_SHARE = 0.05
"""Least weight as a share of its start: no number of queries shows that a score is of no use to others."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Candidates:
    """The graded candidates of a query and their scores."""

    grades: Ints
    fixed: Floats
    """The part of the score without a weight."""
    parts: Floats
    """Scores to be weighted: one row per candidate, one column per weight."""

    @property
    def shares(self) -> Floats:
        """Share of each candidate in the gain of all candidates."""
        gains = 2.0**self.grades - 1
        return np.asarray(gains / gains.sum())


class _Lists:
    """Candidates of all queries below each other."""

    def __init__(self, queries: Sequence[Candidates]) -> None:
        self.sizes = np.array([len(one.grades) for one in queries])
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.scores = np.concatenate([np.column_stack([one.fixed, one.parts]) for one in queries])
        self.shares = np.concatenate([one.shares for one in queries])

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """Return the cross-entropy, summed over the queries, and its gradient."""
        scores = self.scores @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, self.starts), self.sizes)
        log_q = scores - np.repeat(np.log(np.add.reduceat(np.exp(scores), self.starts)), self.sizes)
        return -float(self.shares @ log_q), (np.exp(log_q) - self.shares) @ self.scores

    @cached_property
    def best_sharpness(self) -> float:
        """Sharpness with the least loss if all weights are those of the start, which the scores must be scaled by."""
        from scipy.optimize import minimize

        ones = np.ones(self.scores.shape[1])

        def loss(sharpness: Floats) -> tuple[float, Floats]:
            value, gradient = self.loss(sharpness[0] * ones)
            return value, np.array([gradient.sum()])

        return float(minimize(loss, [0.3], jac=True, method="L-BFGS-B", bounds=[(MIN_SHARPNESS, None)]).x[0])


def learn_weights(queries: Sequence[Candidates], start: Floats) -> Floats:
    """Return the weights with the least loss; queries without a relevant candidate are ignored.

    The pull is the one with the least loss on held-out queries.

    Three candidates, with one score that is right and one that is not:

    >>> parts = np.array([[2.0, 0.0], [0.0, 1.0], [1.0, 2.0]])
    >>> one = Candidates(np.array([3, 0, 0]), np.zeros(3), parts)
    >>> right, wrong = learn_weights([one] * 20, np.ones(2))
    >>> bool(right > 2), bool(wrong < 0.5)
    (True, True)
    """
    lists = _useful(queries, start)
    if not lists:
        return start
    losses = [_held_out_loss(lists, pull) for pull in PULLS]
    best = len(PULLS) - 1 - int(np.argmin(losses[::-1]))  # of equal ones the strongest
    found = _minimum(_Lists(lists), PULLS[best])
    return np.asarray(start * found[1:] / found[0])


def held_out_loss(queries: Sequence[Candidates], start: Floats) -> float:
    """Return the loss per query of weights learnt without it, with a pull of 1."""
    lists = _useful(queries, start)
    return _held_out_loss(lists, 1.0) / max(len(lists), 1)


def _useful(queries: Sequence[Candidates], start: Floats) -> list[Candidates]:
    """Return the queries with a relevant candidate, their scores in units of the start."""
    return [Candidates(one.grades, one.fixed, one.parts * start) for one in queries if one.grades.any()]


def _held_out_loss(lists: Sequence[Candidates], pull: float) -> float:
    """Return the sum of the losses of all queries; every fifth is held out in turn. A single one cannot be."""
    folds, loss = min(FOLDS, len(lists)), 0.0
    for fold in range(folds if folds > 1 else 0):
        learnt = _Lists([one for at, one in enumerate(lists) if at % folds != fold])
        loss += _Lists(lists[fold::folds]).loss(_minimum(learnt, pull))[0]
    return loss


def _minimum(lists: _Lists, pull: float) -> Floats:
    """Return sharpness · weights with the least penalised loss, in units of the start."""
    from scipy.optimize import minimize

    first = np.full(lists.scores.shape[1], lists.best_sharpness)

    def loss(values: Floats) -> tuple[float, Floats]:
        steps = values / first - 1
        value, gradient = lists.loss(values)
        return value + pull * float(steps @ steps), gradient + 2 * pull * steps / first

    bounds = [(MIN_SHARE * value, None) for value in first.tolist()]
    return np.asarray(minimize(loss, first, jac=True, method="L-BFGS-B", bounds=bounds).x)
