"""Rewards R_t of the steps of a predicted ID, compared with a relevant ID (paper, Section 3.4)."""

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
"""Kind of a leaf. Documents have no order, so two of them are either equal or differ by 1."""


@dataclass(frozen=True, slots=True)
class Step:
    """One symbol of an ID with its position among its siblings."""

    symbol: int
    kind: str
    """`part`, `chapter`, `section`, `article`, `charge`, `document`, …"""
    rank: int
    """Position among the siblings, in law order."""
    siblings: int
    """Number of children of the parent node."""


Path = tuple[Step, ...]
"""ID as a sequence of steps, from below the root to the document."""


@dataclass(frozen=True, slots=True)
class Match:
    """Predicted path with the relevant path that matches it best."""

    rewards: Floats
    """R_t of each predicted step."""
    gold: int
    """Index of the relevant path."""


def level_rewards(
    predicted: Path, gold: Path, *, mu: float = 1.0, gamma_h: float = 0.1, distance: Distance = "law"
) -> Floats:
    """Return R_t of each predicted step t = 1, 2, …: μ for the right symbol, else −γ_h^(t−1)·μ per unit of difference.

    Levels are aligned by kind. A wrong sibling under the right parent differs by |rank difference| / siblings, any
    other mismatch by 1. A level that only the prediction has is a mismatch; a level that only the gold path has is
    charged to the step that skips it. The rewards of a prefix therefore do not depend on how the path continues.

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
    """Return the relevant path with the highest total reward; the first one on ties."""
    if not golds:
        raise ValueError("a query without relevant IDs has no reward")
    candidates = [level_rewards(predicted, gold, mu=mu, gamma_h=gamma_h, distance=distance) for gold in golds]
    best = int(np.argmax([rewards.sum() for rewards in candidates]))
    return Match(candidates[best], best)


def _levels(path: Path) -> list[tuple[str, int]]:
    """Return the kind of each step, numbered if a kind occurs several times (nested clusters)."""
    seen: Counter[str] = Counter()
    levels = []
    for step in path:
        levels.append((step.kind, seen[step.kind]))
        seen[step.kind] += 1
    return levels


def _difference(predicted: Path, gold: Path, distance: Distance) -> float:
    """Return the difference between the last steps of two paths, from 0 to 1."""
    ours, theirs = predicted[-1], gold[-1]
    # Siblings only if all ancestors are the same: k-means clusters reuse the same digits.
    above = [[step.symbol for step in path[:-1]] for path in (predicted, gold)]
    if distance == "binary" or ours.kind == DOCUMENT or above[0] != above[1]:
        return 1.0
    return abs(ours.rank - theirs.rank) / ours.siblings
