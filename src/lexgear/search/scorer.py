"""Interface between searches and models, and the execution of one or many searches."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

LogP = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

DECIMALS = 5
"""Decimals that scores are rounded to before ranking."""
ROUNDING = 2 * 10.0**-DECIMALS
"""Largest difference of scores that round to the same value, with a margin for the order of summation."""


class Walk(Protocol):
    """Walk of one encoded query down the trie."""

    def expand(self, nodes: Sequence[int]) -> list[LogP]:
        """Return log P(child | node) for the children of each node, in order.

        Many nodes are passed at once, so that a model can batch them. A node's parent is always expanded before it.
        """


class Walks(Protocol):
    """Walks of several queries down the same trie."""

    def expand(self, asked: Mapping[int, Sequence[int]]) -> Mapping[int, list[LogP]]:
        """Return the answer of `Walk.expand` for the nodes of each query; queries by number."""


@dataclass(frozen=True)
class Result:
    """Search result."""

    hits: list[tuple[int, float]]
    """Leaves or documents with their scores, best first; items of probability 0 are left out."""
    expanded: int
    """Number of nodes expanded by the model."""
    log_p: LogP = field(repr=False, compare=False)
    """log P of each visited node of the trie, NaN for the others; the judgment is derived from it."""


Search = Generator[list[int], list[LogP], Result]
"""Generator that yields the nodes to expand, receives their scores and returns the result."""


def run(search: Search, walk: Walk) -> Result:
    """Run one search to its end."""
    step = _advance(search, None)
    while not isinstance(step, Result):
        step = _advance(search, walk.expand(step))
    return step


def run_together(searches: Sequence[Search], walks: Walks) -> list[Result]:
    """Run one search per query in lockstep, so that a model can batch the nodes of all queries."""
    steps = [_advance(search, None) for search in searches]
    while asked := {number: step for number, step in enumerate(steps) if not isinstance(step, Result)}:
        for number, answer in walks.expand(asked).items():
            steps[number] = _advance(searches[number], answer)
    return [step for step in steps if isinstance(step, Result)]


def ranked(items: Ints, scores: LogP, ties: Ints, k: int) -> list[tuple[int, float]]:
    """Return the k best items with their rounded scores; ties go to the smaller number in `ties`."""
    rounded = np.round(scores, DECIMALS)
    order = np.lexsort((ties, -rounded))[:k]
    return list(zip(items[order].tolist(), rounded[order].tolist(), strict=True))


def _advance(search: Search, answer: list[LogP] | None) -> list[int] | Result:
    try:
        return next(search) if answer is None else search.send(answer)
    except StopIteration as stop:
        result: Result = stop.value
        return result
