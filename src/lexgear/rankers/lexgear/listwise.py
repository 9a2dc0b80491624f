"""The weights of the ranking score, learnt from graded queries by a listwise loss (ListNet: Cao et al., 2007).

Over the candidates of a query, the softmax of their scores should come as near as it can to their shares of the gain
2^grade − 1. How sharp that softmax is gets learnt too, and forgotten: it ranks nothing. Weights are positive, and stay
near where they start unless the queries say otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.search.scorer import Ints

SHARPNESS = 0.3
DOUBT = 0.3
"""What it costs to make a weight e times what it was, or a part of that; a query e times less likely costs 1."""
LEAP, FARTHEST = 2.0, 7.0
"""Each weight is also tried e² times as large first: one that starts small is seen too little to be found."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Listed:
    """The candidates of a query and what speaks for each of them."""

    grades: Ints
    fixed: Floats
    """What counts as it is."""
    parts: Floats
    """(candidates, weights): what counts by a weight."""

    @property
    def shares(self) -> Floats:
        """Of the gain of all candidates, what each has."""
        gains = 2.0**self.grades - 1
        return np.asarray(gains / gains.sum())


def learn_weights(listed: Sequence[Listed], start: Floats) -> Floats:
    """The weights of the parts with the least loss.

    Queries without a relevant candidate have nothing to say. Three candidates; one part that is right, one that is not:

    >>> parts = np.array([[2.0, 0.0], [0.0, 1.0], [1.0, 2.0]])
    >>> one = Listed(np.array([3, 0, 0]), np.zeros(3), parts)
    >>> learn_weights([one] * 20, np.ones(2)).round(1).tolist()
    [5.6, 0.7]
    """
    return weights_and_loss(listed, start)[0]


def weights_and_loss(listed: Sequence[Listed], start: Floats) -> tuple[Floats, float]:
    """`learn_weights`, with the loss that is left."""
    from scipy.optimize import minimize

    useful = [(one, one.shares) for one in listed if one.grades.any()]
    if not useful:
        return start, 0.0
    first = np.append(SHARPNESS, start)

    def loss(steps: Floats) -> tuple[float, Floats]:
        values = first * np.exp(steps)
        sharpness, weights = values[0], values[1:]
        value, slope = DOUBT * np.sum(steps**2), np.zeros(len(steps))
        for one, shares in useful:
            scores = one.fixed + one.parts @ weights
            log_q = sharpness * scores - np.logaddexp.reduce(sharpness * scores)
            wrong = np.exp(log_q) - shares
            value -= shares @ log_q
            slope += np.append(wrong @ scores, sharpness * (wrong @ one.parts))
        return float(value), slope * values + 2 * DOUBT * steps

    bounds = [(-FARTHEST, FARTHEST)] * len(first)
    starts = [np.zeros(len(first)), *LEAP * np.eye(len(first))[1:]]
    found = min((minimize(loss, one, jac=True, method="L-BFGS-B", bounds=bounds) for one in starts), key=_value)
    return np.asarray(start * np.exp(found.x[1:])), float(found.fun)


def _value(found: Any) -> float:
    return float(found.fun)
