"""Kind of matter that a text is about: a crime, or a debt, a divorce, a recipe … (softmax over the text's vector)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
CRIME = "crime"
"""Name of the first class."""
DECIMALS = 4


@dataclass(frozen=True, eq=False)
class Matters:
    """Softmax classifier over the vectors of a base model's encoder."""

    names: tuple[str, ...]
    """Classes; the first one is `crime`."""
    weights: Floats
    """(classes, width)."""
    bias: Floats
    threshold: float
    """Probability of a crime below which a text is no criminal matter."""

    def probabilities(self, vector: Floats) -> dict[str, float]:
        """Return the probability of each class."""
        scores = self.weights @ np.asarray(vector, dtype=np.float64) + self.bias
        shares = np.exp(scores - np.logaddexp.reduce(scores))
        return dict(zip(self.names, shares.tolist(), strict=True))

    def other_matter(self, vector: Floats) -> str | None:
        """Return what a text that is no criminal matter seems to be about; None for a criminal one."""
        found = self.probabilities(vector)
        if found.pop(CRIME) >= self.threshold:
            return None
        return max(found, key=lambda name: found[name])

    def to_row(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "names": list(self.names),
            "weights": self.weights.round(DECIMALS).tolist(),
            "bias": self.bias.round(DECIMALS).tolist(),
            "threshold": self.threshold,
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Matters:
        """Return the classifier that `to_row` described."""
        return cls(tuple(row["names"]), np.array(row["weights"]), np.array(row["bias"]), float(row["threshold"]))


def learn_matters(
    vectors: Floats, classes: Sequence[str], penalty: float, sample_weights: Floats | None = None
) -> tuple[tuple[str, ...], Floats, Floats]:
    """Return names, weights and bias of a softmax regression with an L2 penalty on the weights."""
    from scipy.optimize import minimize

    names = (CRIME, *sorted(set(classes) - {CRIME}))
    number = {name: place for place, name in enumerate(names)}
    gold = np.eye(len(names))[[number[name] for name in classes]]
    shape = (len(names), vectors.shape[1] + 1)
    inputs = np.concatenate([vectors, np.ones((len(vectors), 1))], axis=1)
    share = np.ones(len(vectors)) if sample_weights is None else sample_weights
    share = share / share.sum()

    def loss(flat: Floats) -> tuple[float, Floats]:
        table = flat.reshape(shape)
        scores = inputs @ table.T
        log_p = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
        free = table.copy()
        free[:, -1] = 0.0
        value = -(share[:, None] * gold * log_p).sum() + penalty * (free**2).sum() / 2
        slope = (share[:, None] * (np.exp(log_p) - gold)).T @ inputs + penalty * free
        return float(value), slope.ravel()

    table = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B").x.reshape(shape)
    return names, table[:, :-1], table[:, -1]
