"""What a search asks of a model, what it gives back, and how one search or many side by side are run."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

LogP = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

DECIMALS = 5
"""Scores are rounded to this many before ranking."""
ROUNDING = 2 * 10.0**-DECIMALS
"""How far apart two scores may be that round to the same, with room for the order of summation."""


class Walk(Protocol):
    """One query on its way down the trie, its encoder already run."""

    def expand(self, nodes: Sequence[int]) -> list[LogP]:
        """For each node log P(child | node) in the order of its children.

        Many nodes come at once, so that a model can batch them. A node's parent was always expanded before.
        """


class Walks(Protocol):
    """Several queries on their way down the same trie."""

    def expand(self, asked: Mapping[int, Sequence[int]]) -> Mapping[int, list[LogP]]:
        """The same as `Walk.expand` for the nodes of each query, queries by number."""


@dataclass(frozen=True)
class Result:
    """What a search found."""

    hits: list[tuple[int, float]]
    """Leaves or documents with their score, best first; what has no probability is no hit."""
    expanded: int
    """How many nodes the model was asked to expand."""
    log_p: LogP = field(repr=False, compare=False)
    """log P of each node of the trie that was reached, NaN elsewhere: the judgment can be read off here."""


Search = Generator[list[int], list[LogP], Result]
"""A search yields the nodes it wants expanded, is sent the answer, and returns its result."""


def run(search: Search, walk: Walk) -> Result:
    """Runs one search to its end."""
    step = _advance(search, None)
    while not isinstance(step, Result):
        step = _advance(search, walk.expand(step))
    return step


def run_together(searches: Sequence[Search], walks: Walks) -> list[Result]:
    """Runs one search a query in lockstep, so that a model can batch what all of them ask."""
    steps = [_advance(search, None) for search in searches]
    while asked := {number: step for number, step in enumerate(steps) if not isinstance(step, Result)}:
        for number, answer in walks.expand(asked).items():
            steps[number] = _advance(searches[number], answer)
    return [step for step in steps if isinstance(step, Result)]


def ranked(items: Ints, scores: LogP, ties: Ints, k: int) -> list[tuple[int, float]]:
    """The k best items with their rounded scores; the smaller number in `ties` goes first among equals."""
    rounded = np.round(scores, DECIMALS)
    order = np.lexsort((ties, -rounded))[:k]
    return list(zip(items[order].tolist(), rounded[order].tolist(), strict=True))


def _advance(search: Search, answer: list[LogP] | None) -> list[int] | Result:
    try:
        return next(search) if answer is None else search.send(answer)
    except StopIteration as stop:
        result: Result = stop.value
        return result
