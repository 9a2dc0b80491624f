"""Grades of probability: the words in which a judgment speaks of a charge, by fixed bands of its one number."""

from __future__ import annotations

from enum import StrEnum

APPLIES = 0.5
"""Probability from which a charge applies."""


class Grade(StrEnum):
    """Word for the probability of a charge. Callers translate it."""

    ALMOST_CERTAIN = "almost_certain"
    LIKELY = "likely"
    """The charge applies."""
    POSSIBLE = "possible"
    UNLIKELY = "unlikely"
    """The charge is listed without reasons."""

    @property
    def text(self) -> str:
        """The grade in English."""
        return self.value.replace("_", " ") if self is not Grade.LIKELY else "very likely"


BANDS = ((0.9, Grade.ALMOST_CERTAIN), (APPLIES, Grade.LIKELY), (0.1, Grade.POSSIBLE), (0.0, Grade.UNLIKELY))
"""Lower bounds of the grades, highest first."""


def grade_of(probability: float) -> Grade:
    """Return the grade of a probability.

    >>> grade_of(0.93).text, grade_of(0.62).text, grade_of(0.3).text, grade_of(0.02).text
    ('almost certain', 'very likely', 'possible', 'unlikely')
    """
    return next(grade for lowest, grade in BANDS if probability >= lowest)
