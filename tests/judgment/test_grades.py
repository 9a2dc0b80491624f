"""Grades follow the order of the probabilities."""

from hypothesis import given
from hypothesis import strategies as st

from lexgear.judgment.grades import APPLIES, BANDS, Grade, grade_of

RANK = {grade: rank for rank, (_, grade) in enumerate(BANDS)}


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_higher_probability_never_has_a_lower_grade(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert RANK[grade_of(high)] <= RANK[grade_of(low)]


@given(st.floats(0, 1))
def test_a_charge_applies_exactly_from_likely(probability: float) -> None:
    assert (probability >= APPLIES) == (grade_of(probability) in (Grade.ALMOST_CERTAIN, Grade.LIKELY))


def test_every_grade_has_a_band() -> None:
    assert set(RANK) == set(Grade)
