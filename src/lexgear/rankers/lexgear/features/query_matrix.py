"""Query matrix: a linear map of query vectors, learnt from training queries (`adapt=query`).

The vectors of documents stay as they are. Over the candidates of a query, the softmax of their cosines with the mapped
query should match their shares of the gain 2^grade − 1; a pull towards the identity keeps a few queries from changing
much. The loss is convex, so that nothing depends on a seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.array_checks import FLOATS, check_array
from lexgear.search.scorer import Ints

TEMPERATURE = 0.5
"""Divisor of the scores in the softmax, in standard deviations of a query's cosines with all documents."""
PULLS = (np.inf, 100.0, 30.0, 10.0)
"""Strengths of the pull towards the identity to choose from; with the first the matrix is the identity. Weaker ones fit
the candidates better and rank the corpus worse (docs/lab.md)."""
MAX_VALUE = 1000.0
"""Largest value of a stored matrix; learnt ones stay near the identity."""
MAX_ITERATIONS = 30
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class QueryMatrix:
    """A square matrix, rounded to half precision."""

    matrix: Floats

    @classmethod
    def identity(cls, width: int) -> QueryMatrix:
        """Return the matrix that changes nothing."""
        return cls(np.eye(width, dtype=np.float32))

    def mapped(self, vector: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the mapped vector of a query, of unit length."""
        found = self.matrix @ vector
        return np.asarray(found / max(float(np.linalg.norm(found)), 1e-9))

    def save(self, path: Path) -> None:
        """Write a plain array in half precision."""
        np.save(path, self.matrix.astype(np.float16), allow_pickle=False)

    @classmethod
    def load(cls, path: Path) -> QueryMatrix:
        """Read what `save` wrote."""
        matrix = np.load(path, allow_pickle=False)
        check_array(path, "matrix", matrix, FLOATS, (len(matrix), len(matrix)), -MAX_VALUE, MAX_VALUE)
        return cls(matrix.astype(np.float32))


@dataclass(frozen=True, eq=False)
class MatrixData:
    """Vectors of training queries and of their candidates, with the share of each candidate in the gain."""

    queries: Floats
    """(queries, width)."""
    candidates: Floats
    """(queries, candidates, width); zeros beyond the candidates of a query."""
    shares: Floats
    """(queries, candidates)."""
    present: NDArray[np.bool_]
    """(queries, candidates): False beyond the candidates of a query."""
    spread: float
    """Mean standard deviation of a query's cosines with all documents."""

    @classmethod
    def of(
        cls, queries: Floats, documents: Floats, candidates: Sequence[Ints], grades: Sequence[Ints], spread: float
    ) -> MatrixData:
        """Gather the vectors of candidates, given by position."""
        shape = len(queries), max(map(len, candidates), default=0)
        gathered = np.zeros((*shape, documents.shape[1]), np.float32)
        shares, present = np.zeros(shape, np.float32), np.zeros(shape, np.bool_)
        for row, some in enumerate(candidates):
            gains = 2.0 ** grades[row] - 1
            gathered[row, : len(some)], present[row, : len(some)] = documents[some], True
            shares[row, : len(some)] = gains / max(gains.sum(), 1e-9)
        return cls(queries, gathered, shares, present, spread)

    def rows(self, chosen: Ints) -> MatrixData:
        """Return the data of some queries."""
        return MatrixData(
            self.queries[chosen], self.candidates[chosen], self.shares[chosen], self.present[chosen], self.spread
        )

    def __len__(self) -> int:
        return len(self.queries)


def learn_matrix(data: MatrixData, pull: float) -> QueryMatrix:
    """Return the matrix with the least loss; without data or with an infinite pull, the identity."""
    from scipy.optimize import minimize

    width = data.queries.shape[1]
    identity = np.eye(width, dtype=np.float32)
    if not len(data) or np.isinf(pull):
        return QueryMatrix(identity)
    queries: Floats = data.queries / np.float32(TEMPERATURE * data.spread)

    def loss(change: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        change = change.reshape(width, width)
        value, errors = _loss(data, queries @ (identity + change.astype(np.float32)).T)
        gradient = (errors[:, None, :] @ data.candidates)[:, 0].T @ queries
        return value + pull * float(np.sum(change**2)), (gradient + 2 * pull * change).ravel().astype(np.float64)

    found = minimize(loss, np.zeros(width**2), jac=True, method="L-BFGS-B", options={"maxiter": MAX_ITERATIONS})
    learnt = identity + found.x.reshape(width, width).astype(np.float32)
    return QueryMatrix(learnt.astype(np.float16).astype(np.float32))


def matrix_loss(data: MatrixData, matrix: QueryMatrix) -> float:
    """Return the loss of a matrix on queries, without the pull and with the sharpness that suits it best."""
    from scipy.optimize import minimize_scalar

    mapped = data.queries @ matrix.matrix.T

    def loss(power: float) -> float:
        return _loss(data, mapped * np.float32(np.exp(power) / data.spread))[0]

    return float(minimize_scalar(loss, (-1, 1)).fun)


def _loss(data: MatrixData, mapped: Floats) -> tuple[float, Floats]:
    """Return the cross-entropy of mapped queries, summed, and its derivative by the scores."""
    scores = np.where(data.present, (data.candidates @ mapped[:, :, None])[:, :, 0], -np.inf)
    log_q = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    value = -float(np.sum(data.shares * np.where(data.present, log_q, 0)))
    return value, np.exp(log_q) - data.shares
