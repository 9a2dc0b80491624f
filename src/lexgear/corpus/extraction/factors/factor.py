"""A factor found in a text, and the bands in which its value is shown."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

AMOUNT_BANDS = (1_000, 3_000, 10_000, 50_000, 100_000, 500_000, 3_000_000)
"""Lower bounds in yuan of the bands of amounts above the first."""


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
        """Lower and upper bound in yuan of the band of an amount; None for other factors.

        >>> Factor("amount", "fact", 0, 5, 4200).band
        (3000, 10000)
        """
        if self.name != "amount" or self.value is None:
            return None
        place = bisect_right(AMOUNT_BANDS, self.value)
        upper = AMOUNT_BANDS[place] if place < len(AMOUNT_BANDS) else None
        return (AMOUNT_BANDS[place - 1] if place else 0), upper
