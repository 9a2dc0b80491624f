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
    first_entry: Numbers
    """Position of each word's first entry in the two arrays below, and at the end their length."""
    entry_charge: Numbers
    """Charges whose B contains a word, word by word."""
    entry_evidence: Scores
    """Evidence of the word for that charge: λ1 or λ2 or both, times the log of how few charges have the word."""

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

        tf, charge_of_word = np.zeros(shape), np.zeros(shape, np.int64)
        np.add.at(tf, at, count)
        shares = count / np.bincount(2 * charge + level, count)[2 * charge + level]
        # In ascending order, so that the largest share (of ties, the first charge) is written last.
        rising = np.lexsort((-charge, shares))
        charge_of_word[level[rising], column[rising] + 1] = charge[rising]

        pairs, entry = np.unique((column + 1) * len(entries) + charge, return_inverse=True)
        evidence = np.zeros(len(pairs))
        np.add.at(evidence, entry, np.array(lambdas)[level])
        entry_word, entry_charge = np.divmod(pairs, max(len(entries), 1))
        charges_with = np.bincount(entry_word, minlength=shape[1])
        evidence *= np.log((len(entries) + 1) / charges_with[entry_word])
        first_entry = np.concatenate(([0], np.cumsum(charges_with)))
        return cls(charges, numbers, tf, charge_of_word, np.array(lambdas) @ tf, first_entry, entry_charge, evidence)

    def evidence(self, rows: Numbers, words: Numbers, count: int) -> Scores:
        """Return the evidence for each charge, summed over the words of `count` rows: (rows, charges)."""
        counts = self.first_entry[words + 1] - self.first_entry[words]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        entries = np.repeat(self.first_entry[words], counts) + within
        cells = np.repeat(rows, counts) * len(self.charges) + self.entry_charge[entries]
        sums = np.zeros(count * len(self.charges))
        np.add.at(sums, cells, self.entry_evidence[entries])
        return sums.reshape(count, len(self.charges))

    def names(self, places: Numbers) -> list[str]:
        """Return the charges at these indices; -1 stands for none."""
        names = (*self.charges, "")
        return [names[place] for place in places.tolist()]
