"""A factor found in a text, and the bands in which its value is shown."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

AMOUNT_BANDS = (1_000, 3_000, 10_000, 50_000, 100_000, 500_000, 3_000_000)
"""Lower bounds in yuan of the bands of amounts above the first."""
BANDS: Mapping[str, tuple[int, ...]] = {
    "amount": AMOUNT_BANDS,
    "drugs": (10, 50),
    "alcohol": (80, 200),
    "death": (2, 3, 10),
}
"""Factors with a value, and the lower bounds of their bands above the first.

10 and 50 grams are limits of article 347 for heroin and methamphetamine, 80 and 200 mg/100 ml those of drunk driving.
"""


@dataclass(frozen=True, slots=True)
class Factor:
    """A circumstance that a text states as a fact, with the place where it does."""

    name: str
    section: str
    start: int
    """Position of the first character in the section."""
    end: int
    value: float | None = None
    """Yuan of an amount, grams of a drug, mg/100 ml of alcohol, number of deaths; None for other factors."""
    kind: str = ""
    """Name of the drug; empty for other factors."""

    @property
    def band(self) -> tuple[int, int | None] | None:
        """Lower and upper bound of the band of the value; None if the factor has no value.

        >>> Factor("amount", "fact", 0, 5, 4200).band
        (3000, 10000)
        """
        if self.name not in BANDS or self.value is None:
            return None
        bounds = BANDS[self.name]
        place = bisect_right(bounds, self.value)
        return (bounds[place - 1] if place else 0), (bounds[place] if place < len(bounds) else None)
