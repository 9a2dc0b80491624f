"""Learning-rate schedule: linear warm-up, then a cosine to zero."""

from __future__ import annotations

import math


def warmup_cosine(done: float, warmup: float) -> float:
    """Return the learning rate as a share of its peak, given the finished share of the run.

    >>> [round(warmup_cosine(done, 0.1), 3) for done in (0.0, 0.1, 0.55, 1.0)]
    [0.01, 1.0, 0.5, 0.0]
    """
    if done < warmup:
        return (done + 1e-3) / (warmup + 1e-3)
    rest = (done - warmup) / max(1 - warmup, 1e-9)
    return 0.5 * (1 + math.cos(math.pi * min(rest, 1.0)))
