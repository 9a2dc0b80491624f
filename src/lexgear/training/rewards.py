"""R_t: what each step of a predicted ID earns or costs beside a relevant one (paper, Section 3.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Distance = Literal["law", "binary"]

DOCUMENT = "document"
"""The kind of a leaf. Documents have no order of their own, so two of them are equal or wholly different."""


@dataclass(frozen=True, slots=True)
class Step:
    """One symbol of an ID, and where it stands among the children of the node above."""

    symbol: int
    kind: str
    """`part`, `chapter`, `section`, `article`, `charge`, `document`, …"""
    rank: int
    """Its place among its siblings, in law order."""
    siblings: int
    """How many children the node above has, this one included."""


Path = tuple[Step, ...]
"""An ID from the first step below the root down to the document."""


@dataclass(frozen=True, slots=True)
class Match:
    """A predicted path beside the relevant one that suits it best."""

    rewards: Floats
    """R_t for each step of the predicted path."""
    gold: int
    """Which of the relevant paths it was."""


def level_rewards(
    predicted: Path, gold: Path, *, mu: float = 1.0, gamma_h: float = 0.1, distance: Distance = "law"
) -> Floats:
    """R_t for each predicted step t = 1, 2, …: μ for the right symbol, else −γ_h^(t−1)·μ per unit of difference.

    Levels are aligned by kind. A wrong sibling of the right node differs by |rank difference| / siblings, any
    other mismatch by 1. A level that only the prediction has is a mismatch; one that only the gold path has is
    paid by the step that passes it over. So the first steps of a path have the same rewards however it goes on.

    >>> article, theft = Step(263, "article", rank=0, siblings=14), Step(264, "article", rank=1, siblings=14)
    >>> level_rewards((theft,), (article,)).round(4).tolist()
    [-0.0714]
    """
    places = {level: place for place, level in enumerate(_levels(gold))}
    rewards = np.empty(len(predicted))
    reached = -1
    for index, (step, level) in enumerate(zip(predicted, _levels(predicted), strict=True)):
        place = places.get(level)
        passed = 0 if place is None else max(0, place - reached - 1)
        if place is not None and step.symbol == gold[place].symbol:
            rewards[index] = mu - gamma_h**index * mu * passed
        else:
            difference = 1.0 if place is None else _difference(predicted[: index + 1], gold[: place + 1], distance)
            rewards[index] = -(gamma_h**index) * mu * (difference + passed)
        reached = reached if place is None else max(reached, place)
    return rewards


def best_match(
    predicted: Path, golds: Sequence[Path], *, mu: float = 1.0, gamma_h: float = 0.1, distance: Distance = "law"
) -> Match:
    """The relevant path with the highest total reward; the first of them where several are as good."""
    if not golds:
        raise ValueError("a query without relevant IDs has no reward")
    candidates = [level_rewards(predicted, gold, mu=mu, gamma_h=gamma_h, distance=distance) for gold in golds]
    best = int(np.argmax([rewards.sum() for rewards in candidates]))
    return Match(candidates[best], best)


def _levels(path: Path) -> list[tuple[str, int]]:
    """The kind of each step, numbered where it comes again (clusters below clusters)."""
    seen: Counter[str] = Counter()
    levels = []
    for step in path:
        levels.append((step.kind, seen[step.kind]))
        seen[step.kind] += 1
    return levels


def _difference(predicted: Path, gold: Path, distance: Distance) -> float:
    """How far apart the last steps of two walks are, from 0 to 1; they differ."""
    ours, theirs = predicted[-1], gold[-1]
    # Siblings only where the whole way down is the same: clusters of k-means share their digits.
    above = [[step.symbol for step in path[:-1]] for path in (predicted, gold)]
    if distance == "binary" or ours.kind == DOCUMENT or above[0] != above[1]:
        return 1.0
    return abs(ours.rank - theirs.rank) / ours.siblings
