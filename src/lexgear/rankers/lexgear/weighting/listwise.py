"""Weights of the ranking score, learnt from graded queries by a listwise loss (ListNet: Cao et al., 2007).

Over the candidates of a query, the softmax of their scores should match their shares of the gain 2^grade − 1. The
sharpness of the softmax is learnt too and then dropped, since it does not change the ranking. Weights are positive and
stay near their start unless there is evidence against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.search.scorer import Ints

SHARPNESS = 0.3
"""Initial sharpness of the softmax."""
PENALTY = 0.3
"""Cost of multiplying a weight by e or 1/e; making a query e times less likely costs 1."""
RESTART_STEP = 2.0
"""Optimisation also starts from each weight times e²: a weight that starts small has too small a gradient."""
MAX_STEP = 7.0
"""Bound of the change of a weight, as a power of e."""

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


def learn_weights(queries: Sequence[Candidates], start: Floats) -> Floats:
    """Return the weights with the least loss; queries without a relevant candidate are ignored.

    Three candidates, with one score that is right and one that is not:

    >>> parts = np.array([[2.0, 0.0], [0.0, 1.0], [1.0, 2.0]])
    >>> one = Candidates(np.array([3, 0, 0]), np.zeros(3), parts)
    >>> learn_weights([one] * 20, np.ones(2)).round(1).tolist()
    [5.6, 0.7]
    """
    return weights_and_loss(queries, start)[0]


def weights_and_loss(queries: Sequence[Candidates], start: Floats) -> tuple[Floats, float]:
    """Return the weights of `learn_weights` and their loss."""
    from scipy.optimize import minimize

    useful = [(one, one.shares) for one in queries if one.grades.any()]
    if not useful:
        return start, 0.0
    first = np.append(SHARPNESS, start)

    def loss(steps: Floats) -> tuple[float, Floats]:
        values = first * np.exp(steps)
        sharpness, weights = values[0], values[1:]
        value, gradient = PENALTY * np.sum(steps**2), np.zeros(len(steps))
        for one, shares in useful:
            scores = one.fixed + one.parts @ weights
            log_q = sharpness * scores - np.logaddexp.reduce(sharpness * scores)
            errors = np.exp(log_q) - shares
            value -= shares @ log_q
            gradient += np.append(errors @ scores, sharpness * (errors @ one.parts))
        return float(value), gradient * values + 2 * PENALTY * steps

    bounds = [(-MAX_STEP, MAX_STEP)] * len(first)
    starts = [np.zeros(len(first)), *RESTART_STEP * np.eye(len(first))[1:]]
    found = min((minimize(loss, one, jac=True, method="L-BFGS-B", bounds=bounds) for one in starts), key=_final_loss)
    return np.asarray(start * np.exp(found.x[1:])), float(found.fun)


def _final_loss(found: Any) -> float:
    return float(found.fun)
