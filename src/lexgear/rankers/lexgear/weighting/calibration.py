"""Map from the share of a charge to the probability that it applies: a logistic function of its log odds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lexgear.search.scorer import LogP

MAX_LOG_ODDS = 20.0
"""Bound of the log odds of shares in the calibration."""


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
