"""The query matrix: what it learns, that it keeps still without reason, and its gradient."""

from pathlib import Path

import numpy as np
import pytest

from lexgear.rankers.lexgear.features.query_matrix import MatrixData, QueryMatrix, learn_matrix, matrix_loss


def rotated(count: int, seed: int = 0) -> MatrixData:
    """Return queries whose relevant document is the query turned by a quarter in its first two coordinates."""
    rng = np.random.default_rng(seed)
    queries = rng.normal(size=(count, 6)).astype(np.float32)
    queries /= np.linalg.norm(queries, axis=1, keepdims=True)
    answers = queries.copy()
    answers[:, 0], answers[:, 1] = -queries[:, 1], queries[:, 0]
    candidates = [np.array([at, *rng.choice(count, 9)]) for at in range(count)]
    grades = [np.array([1, *[0] * 9]) for _ in range(count)]
    return MatrixData.of(queries, answers, candidates, grades, spread=0.4)


def test_a_rotation_is_learnt_and_serves_other_queries() -> None:
    learnt = learn_matrix(rotated(200), pull=0.1)
    others = rotated(100, seed=1)
    assert matrix_loss(others, learnt) < 0.7 * matrix_loss(others, QueryMatrix.identity(6))


def test_a_strong_pull_keeps_the_identity() -> None:
    assert learn_matrix(rotated(20), pull=1e6).matrix == pytest.approx(np.eye(6), abs=1e-3)
    assert (learn_matrix(rotated(20), pull=np.inf).matrix == np.eye(6)).all()


def test_candidates_beyond_those_of_a_query_do_not_count() -> None:
    queries, documents = np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32)
    alone = MatrixData.of(queries[:1], documents, [np.array([0, 1])], [np.array([1, 0])], 0.5)
    beside = MatrixData.of(
        queries, documents, [np.array([0, 1]), np.array([1])], [np.array([1, 0]), np.array([1])], 0.5
    )
    identity = QueryMatrix.identity(2)
    assert matrix_loss(beside, identity) == pytest.approx(matrix_loss(alone, identity), abs=1e-4)


def test_a_matrix_is_read_as_it_was_written(tmp_path: Path) -> None:
    learnt = learn_matrix(rotated(50), pull=1.0)
    learnt.save(tmp_path / "matrix.npy")
    assert (QueryMatrix.load(tmp_path / "matrix.npy").matrix == learnt.matrix).all()
    assert np.linalg.norm(learnt.mapped(np.ones(6))) == pytest.approx(1)
