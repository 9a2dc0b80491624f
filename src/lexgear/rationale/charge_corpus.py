"""The paper's B for a set of charges, as arrays: what a text is measured against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Scores: TypeAlias = NDArray[np.float64]
Entries: TypeAlias = Numbers
"""Of one charge, three rows: level (0 for B1, 1 for B2), the word's number in the lexicon, tf(word, B_i)."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """B1 and B2 of some charges together; its words are numbered from 1, and 0 is any other word."""

    charges: tuple[str, ...]
    numbers: Numbers
    """Of each word of the lexicon, its number here."""
    tf: Scores
    """tf(word, B_i): row 0 for B1, row 1 for B2."""
    speaks_for: Numbers
    """The charge, by its place in `charges`, whose own B_i the word fills most: a row for each i."""
    weights: Scores
    """Of each word, λ1·tf(word, B1) + λ2·tf(word, B2)."""
    strength: Scores
    """Of each word, the larger λ_i times how much of a single charge's B_i it fills: how much it tells."""
    tells: Numbers
    """Of each word, that charge."""

    @classmethod
    def of(
        cls, charges: tuple[str, ...], entries: Sequence[Entries], words: int, lambdas: tuple[float, float]
    ) -> Corpus:
        """Puts together what the charges have, out of a lexicon of so many words."""
        level, word, count = np.concatenate(entries, axis=1) if entries else np.zeros((3, 0), np.int64)
        charge = np.repeat(np.arange(len(entries)), [some.shape[1] for some in entries])
        own, column = np.unique(word, return_inverse=True)
        numbers = np.zeros(words + 1, np.int64)
        numbers[own] = np.arange(1, len(own) + 1)
        shape, at = (2, len(own) + 1), (level, column + 1)

        tf, share, speaks_for = np.zeros(shape), np.zeros(shape), np.zeros(shape, np.int64)
        np.add.at(tf, at, count)
        shares = count / np.bincount(2 * charge + level, count)[2 * charge + level]
        rising = np.lexsort((-charge, shares))  # so that the largest share, of equals the first charge, is set last
        at = level[rising], column[rising] + 1
        share[at], speaks_for[at] = shares[rising], charge[rising]

        strengths = np.array(lambdas)[:, np.newaxis] * share
        stronger = strengths.argmax(axis=0), np.arange(shape[1])
        return cls(charges, numbers, tf, speaks_for, np.array(lambdas) @ tf, strengths[stronger], speaks_for[stronger])

    def names(self, places: Numbers) -> list[str]:
        """The charges at these places; -1 stands for none."""
        names = (*self.charges, "")
        return [names[place] for place in places.tolist()]
