"""Task of the page that the API does not have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lexgear.serve.api.models import Comparison
from lexgear.serve.comparing.comparison import compare_all
from lexgear.serve.served_index import ServedIndex


@dataclass(frozen=True, slots=True)
class CompareAll:
    """Comparison of a text with each of several cases; the text is encoded once."""

    text: str
    others: tuple[str, ...]
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = False

    def run(self, served_index: ServedIndex) -> list[Comparison]:
        """Return one comparison per case."""
        return compare_all(served_index, self.text, self.others)
