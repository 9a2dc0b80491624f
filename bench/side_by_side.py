"""Two ways to do the same work, timed in turns so that a noisy machine is noisy for both."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TypeVar

ROUNDS = 41
"""Many short rounds: a neighbour's burst of work then spoils a few of them, not the median."""
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Measured:
    """A number taken in several rounds: their median counts."""

    name: str
    says: str
    rounds: tuple[float, ...]

    @property
    def value(self) -> float:
        """The median of the rounds."""
        return median(self.rounds)

    @property
    def spread(self) -> str:
        """The middle half of the rounds."""
        if len(self.rounds) == 1:
            return ""
        low, _, high = quantiles(self.rounds, n=4)
        return f"{low:.3f}–{high:.3f}"


def time_ratio(name: str, says: str, ours: Callable[[], object], peer: Callable[[], object]) -> Measured:
    """Time of ours over time of the peer's: both once to warm up, then in turns, the first one changing."""
    ours()
    peer()
    rounds = []
    # What other benchmarks left in memory is not looked through again by the garbage collector while this one runs.
    gc.collect()
    gc.freeze()
    for number in range(ROUNDS):
        order = (ours, peer) if number % 2 else (peer, ours)
        seconds = {call: timed(call)[1] for call in order}
        rounds.append(seconds[ours] / seconds[peer])
    gc.unfreeze()
    return Measured(name, says, tuple(rounds))


def timed(call: Callable[[], Answer]) -> tuple[Answer, float]:
    """What a call gives, and the seconds it takes."""
    start = time.perf_counter()
    found = call()
    return found, time.perf_counter() - start
