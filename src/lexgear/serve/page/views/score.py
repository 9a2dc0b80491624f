"""View of a score: one bar of what its parts add to the weakest of the best hits, and the parts as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lexgear.serve.api import models
from lexgear.serve.page.tasks import PARTS

OPTIONAL = ("legal_terms", "past_questions")
"""Parts that are left out if they are zero."""
MAIN = 0.25
"""Share of a bar from which a part is named as a main reason."""


@dataclass(frozen=True)
class ScorePart:
    """One part of a score."""

    name: str
    value: float
    start: float
    """Beginning of its piece of the bar, in percent of the width."""
    width: float


@dataclass(frozen=True)
class ScoreView:
    """Score as a bar; the longest bar belongs to the best hit."""

    total: float
    parts: tuple[ScorePart, ...] = ()

    @property
    def main(self) -> list[str]:
        """Names of the main parts, largest first."""
        whole = sum(one.width for one in self.parts)
        large = sorted((one for one in self.parts if one.width), key=lambda one: -one.width)
        return [one.name for one in large if one.width >= MAIN * whole]


def score_view(hit: models.Hit, floors: Mapping[str, float], best: float) -> ScoreView:
    """Return the view of a score. `best` is the longest bar before scaling, as `bar_length` gives it."""
    if hit.explanation is None:
        return ScoreView(hit.score)
    parts, start = [], 0.0
    for name in PARTS:
        value = float(getattr(hit.explanation, name))
        width = 100 * max(value - floors.get(name, value), 0.0) / (best or 1.0)
        if name not in OPTIONAL or value:
            parts.append(ScorePart(name, value, start, width))
        start += width
    return ScoreView(hit.score, tuple(parts))


def bar_length(hit: models.Hit, floors: Mapping[str, float]) -> float:
    """Return by how much the parts of a hit exceed the smallest ones, in all."""
    if hit.explanation is None:
        return 0.0
    return sum(max(float(getattr(hit.explanation, name)) - floors.get(name, 0.0), 0.0) for name in floors)
