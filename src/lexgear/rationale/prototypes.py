"""B3 of the paper: the embedded definitions of the charges, and how near a sentence comes to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lexgear.rationale.lexicon import Lexicon

DECIMALS = 5


class Encoder(Protocol):
    """Anything that embeds texts; frozen, so that the same text always gets the same vector."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text."""
        ...


@dataclass(frozen=True, slots=True)
class Prototypes:
    """One unit vector a charge, and the encoder that made them."""

    encoder: Encoder
    vectors: NDArray[np.float32]
    """One row a charge, in the order of the lexicon."""
    rows: Mapping[str, int]
    """charge → its row."""

    @classmethod
    def of(cls, lexicon: Lexicon, encoder: Encoder) -> Prototypes:
        """Embeds the definition of every charge; where there is none, its name."""
        vectors = encoder.encode([row.definition or row.charge for row in lexicon.rows])
        return cls(encoder, vectors, {charge: row for row, charge in enumerate(lexicon.charges)})

    def cosines(self, sentences: Sequence[str], charges: Sequence[str]) -> NDArray[np.float64]:
        """The cosine of each sentence (row) with the definition of each charge (column).

        Rounded: what a sentence was embedded beside moves its last digits, and must not move the choice.
        """
        if not sentences:
            return np.zeros((0, len(charges)))
        prototypes = self.vectors[[self.rows[charge] for charge in charges]]
        cosines = (self.encoder.encode(sentences) @ prototypes.T).astype(np.float64)
        return cosines.round(DECIMALS)
