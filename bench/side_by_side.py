"""Two ways to do the same work, timed in turns so that a noisy machine is noisy for both."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles

ROUNDS = 41
"""Many short rounds: a neighbour's burst of work then spoils a few of them, not the median."""


@dataclass(frozen=True)
class Ratio:
    """Time of ours over time of the peer's: the median over the rounds."""

    name: str
    says: str
    rounds: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The median of the rounds."""
        return median(self.rounds)

    @property
    def spread(self) -> str:
        """The middle half of the rounds."""
        low, _, high = quantiles(self.rounds, n=4)
        return f"{low:.3f}–{high:.3f}"


def time_ratio(name: str, says: str, ours: Callable[[], object], peer: Callable[[], object]) -> Ratio:
    """Runs both once to warm up, then in turns, the first one changing from round to round."""
    ours()
    peer()
    rounds = []
    for number in range(ROUNDS):
        order = (ours, peer) if number % 2 else (peer, ours)
        seconds = {call: _seconds(call) for call in order}
        rounds.append(seconds[ours] / seconds[peer])
    return Ratio(name, says, tuple(rounds))


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
