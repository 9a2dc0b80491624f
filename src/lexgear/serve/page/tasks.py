"""What the page asks of the model beside what the API does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lexgear.serve.api.models import Comparison
from lexgear.serve.comparison import compared_all
from lexgear.serve.served_index import ServedIndex


@dataclass(frozen=True, slots=True)
class CompareAll:
    """A text beside each of several cases: read once, compared often."""

    text: str
    others: tuple[str, ...]
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = False

    def run(self, served_index: ServedIndex) -> list[Comparison]:
        """What it shares with each."""
        return compared_all(served_index, self.text, self.others)
