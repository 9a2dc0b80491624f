"""Whether a text reads like the cases that a base model has learnt from: by how rare its tokens are among them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.tf_idf import relative_idf
from lexgear.pretraining.data.prepared import JUDGED, Prepared

FIRST = 64
"""Tokens of a case that the limit is taken from: as little as somebody may tell."""
COMMON = 0.98
"""Share of the cases kept out that are familiar. Of 28 texts about other things (recipes, weather, letters, contracts)
21 are not, and of the rest all but one are left without a charge by their probability."""


@dataclass(frozen=True, eq=False)
class Familiarity:
    """The rarity of every token, and how rare the tokens of a text may be in the mean."""

    rarity: NDArray[np.float32]
    limit: float

    @classmethod
    def of(cls, prepared: Prepared) -> Familiarity:
        """From the judgments there are; where all texts are statutes, nothing is strange."""
        cases = np.flatnonzero(prepared.kinds == JUDGED)
        counts = np.ones(prepared.vocabulary)
        for case in cases[cases < prepared.learnt].tolist():
            counts[np.unique(prepared.facts.row(case))] += 1
        rarity = relative_idf(counts).astype(np.float32)
        kept_out = cases[cases >= prepared.learnt].tolist()
        means = [rarity[prepared.facts.row(case)[:FIRST]].mean() for case in kept_out]
        return cls(rarity, float(np.quantile(means, COMMON)) if means else np.inf)

    def includes(self, numbers: NDArray[np.int32]) -> bool:
        """Whether a text, given as token numbers, is familiar."""
        return float(self.rarity[numbers].mean()) <= self.limit

    def save(self, path: Path) -> None:
        """Writes plain arrays."""
        np.savez(path, rarity=self.rarity, limit=np.array(self.limit))

    @classmethod
    def load(cls, path: Path) -> Familiarity:
        """What `save` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            return cls(arrays["rarity"], float(arrays["limit"]))
