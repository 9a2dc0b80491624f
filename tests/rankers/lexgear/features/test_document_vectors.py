"""Vectors of documents in several parts."""

import numpy as np
import pytest

from lexgear.errors import InputError
from lexgear.rankers.lexgear.features import document_vectors
from lexgear.rankers.lexgear.features.document_vectors import DocumentVectors


def test_parts_are_one_array_whatever_the_size_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(1).uniform(-0.5, 0.5, (11, 3)).astype(np.float16)
    monkeypatch.setattr(document_vectors, "ROWS_PER_BLOCK", 4)
    vectors = DocumentVectors([rows[:6], rows[6:]])
    assert (vectors.whole == rows.astype(np.float32)).all()
    assert vectors.cosines(np.array([1.0, 0.0, 0.0])) == pytest.approx(rows[:, 0].astype(float))


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 2.0, -1.5])
def test_a_value_that_no_unit_vector_has_is_reported_when_vectors_are_first_used(wrong: float) -> None:
    rows = np.full((5, 2), 0.5, np.float16)
    rows[4, 1] = wrong
    vectors = DocumentVectors([rows])
    with pytest.raises(InputError, match="longer than a unit vector"):
        vectors.cosines(np.ones(2))
