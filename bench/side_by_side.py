"""Two implementations of the same work, timed in turns so that a noisy machine affects both alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TypeVar

ROUNDS = 41
"""Many short rounds, so that a burst of other work spoils a few of them but not the median."""
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Measured:
    """A number measured in several rounds; the median is reported."""

    name: str
    description: str
    rounds: tuple[float, ...]

    @property
    def value(self) -> float:
        """The median of the rounds."""
        return median(self.rounds)

    @property
    def spread(self) -> str:
        """The interquartile range of the rounds."""
        if len(self.rounds) == 1:
            return ""
        low, _, high = quantiles(self.rounds, n=4)
        return f"{low:.3f}–{high:.3f}"


def time_ratio(name: str, description: str, ours: Callable[[], object], peer: Callable[[], object]) -> Measured:
    """Return our time divided by the peer's: after a warm-up of both, in turns, with alternating order."""
    ours()
    peer()
    rounds = []
    # The garbage collector must not walk the objects of other benchmarks while this one runs.
    gc.collect()
    gc.freeze()
    for number in range(ROUNDS):
        order = (ours, peer) if number % 2 else (peer, ours)
        seconds = {call: timed(call)[1] for call in order}
        rounds.append(seconds[ours] / seconds[peer])
    gc.unfreeze()
    return Measured(name, description, tuple(rounds))


def timed(call: Callable[[], Answer]) -> tuple[Answer, float]:
    """Return the result of a call and the seconds it took."""
    start = time.perf_counter()
    found = call()
    return found, time.perf_counter() - start
