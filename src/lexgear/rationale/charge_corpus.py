"""Arrays of the paper's B for a set of charges, against which texts are scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Scores: TypeAlias = NDArray[np.float64]
Entries: TypeAlias = Numbers
"""Entries of one charge in three rows: level (0 for B1, 1 for B2), word number in the lexicon, tf(word, B_i)."""


@dataclass(frozen=True, slots=True)
class ChargeCorpus:
    """B1 and B2 of a set of charges; words are numbered from 1, and 0 is any other word."""

    charges: tuple[str, ...]
    numbers: Numbers
    """Number in this corpus of each word of the lexicon."""
    tf: Scores
    """tf(word, B_i): row 0 for B1, row 1 for B2."""
    charge_of_word: Numbers
    """Charge, as an index into `charges`, whose B_i contains the word with the largest share; one row per i."""
    weights: Scores
    """λ1·tf(word, B1) + λ2·tf(word, B2) of each word."""
    strength: Scores
    """Largest λ_i times the word's share of a single charge's B_i, per word."""
    strongest_charge: Numbers
    """Charge that this maximum belongs to, per word."""

    @classmethod
    def of(
        cls, charges: tuple[str, ...], entries: Sequence[Entries], words: int, lambdas: tuple[float, float]
    ) -> ChargeCorpus:
        """Combine the entries of the charges, given the size of the lexicon."""
        level, word, count = np.concatenate(entries, axis=1) if entries else np.zeros((3, 0), np.int64)
        charge = np.repeat(np.arange(len(entries)), [some.shape[1] for some in entries])
        own, column = np.unique(word, return_inverse=True)
        numbers = np.zeros(words + 1, np.int64)
        numbers[own] = np.arange(1, len(own) + 1)
        shape, at = (2, len(own) + 1), (level, column + 1)

        tf, share, charge_of_word = np.zeros(shape), np.zeros(shape), np.zeros(shape, np.int64)
        np.add.at(tf, at, count)
        shares = count / np.bincount(2 * charge + level, count)[2 * charge + level]
        # In ascending order, so that the largest share (of ties, the first charge) is written last.
        rising = np.lexsort((-charge, shares))
        at = level[rising], column[rising] + 1
        share[at], charge_of_word[at] = shares[rising], charge[rising]

        strengths = np.array(lambdas)[:, np.newaxis] * share
        stronger = strengths.argmax(axis=0), np.arange(shape[1])
        return cls(
            charges, numbers, tf, charge_of_word, np.array(lambdas) @ tf, strengths[stronger], charge_of_word[stronger]
        )

    def names(self, places: Numbers) -> list[str]:
        """Return the charges at these indices; -1 stands for none."""
        names = (*self.charges, "")
        return [names[place] for place in places.tolist()]
