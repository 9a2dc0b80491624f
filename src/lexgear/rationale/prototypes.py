"""Prototypes, B3 of the paper: embedded definitions of the charges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lexgear.rationale.lexicon import Lexicon

DECIMALS = 5


class Encoder(Protocol):
    """Frozen text encoder protocol: the same text always gets the same vector."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text."""
        ...


@dataclass(frozen=True, slots=True)
class Prototypes:
    """One unit vector per charge, and the encoder that computed them."""

    encoder: Encoder
    vectors: NDArray[np.float32]
    """One row per charge, in the order of the lexicon."""
    rows: Mapping[str, int]
    """Row of each charge."""

    @classmethod
    def of(cls, lexicon: Lexicon, encoder: Encoder) -> Prototypes:
        """Embed the definition of every charge, or its name if it has none."""
        vectors = encoder.encode([row.definition or row.charge for row in lexicon.rows])
        return cls(encoder, vectors, {charge: row for row, charge in enumerate(lexicon.charges)})

    def cosines(self, sentences: Sequence[str], charges: Sequence[str]) -> NDArray[np.float64]:
        """Return the cosine of each sentence (row) with the definition of each charge (column).

        Cosines are rounded: batching changes their last digits and must not change the selection.
        """
        if not sentences:
            return np.zeros((0, len(charges)))
        prototypes = self.vectors[[self.rows[charge] for charge in charges]]
        cosines = (self.encoder.encode(sentences) @ prototypes.T).astype(np.float64)
        return cosines.round(DECIMALS)
