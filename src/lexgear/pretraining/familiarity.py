"""Familiarity test: compare a text with the training cases by the rarity of its tokens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.tf_idf import relative_idf
from lexgear.pretraining.data.prepared import JUDGED, Prepared

LIMIT_TOKENS = 64
"""Tokens per case that the limit is computed from: as short as a brief user description."""
FAMILIAR_SHARE = 0.98
"""Share of the held-out cases that count as familiar. Of 28 unrelated texts (recipes, weather, letters, contracts) 21
are unfamiliar, and all but one of the others receive no charge because of their low probability."""


@dataclass(frozen=True, eq=False)
class Familiarity:
    """Rarity of each token, and the highest mean rarity of a familiar text."""

    rarity: NDArray[np.float32]
    limit: float

    @classmethod
    def of(cls, prepared: Prepared) -> Familiarity:
        """Build from the judgments; without judgments every text is familiar."""
        cases = np.flatnonzero(prepared.kinds == JUDGED)
        counts = np.ones(prepared.vocabulary)
        for case in cases[cases < prepared.learnt].tolist():
            counts[np.unique(prepared.facts.row(case))] += 1
        rarity = relative_idf(counts).astype(np.float32)
        kept_out = cases[cases >= prepared.learnt].tolist()
        means = [rarity[prepared.facts.row(case)[:LIMIT_TOKENS]].mean() for case in kept_out]
        return cls(rarity, float(np.quantile(means, FAMILIAR_SHARE)) if means else np.inf)

    def includes(self, numbers: NDArray[np.int32]) -> bool:
        """Return whether a text, given as token ids, is familiar."""
        return float(self.rarity[numbers].mean()) <= self.limit

    def save(self, path: Path) -> None:
        """Write plain arrays."""
        np.savez(path, rarity=self.rarity, limit=np.array(self.limit))

    @classmethod
    def load(cls, path: Path) -> Familiarity:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            return cls(arrays["rarity"], float(arrays["limit"]))
