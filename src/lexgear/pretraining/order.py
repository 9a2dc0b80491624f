"""In which order cases are learnt: every case once an epoch, beside some that look like it and are as long."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.pretraining.prepared import Prepared

Ints = NDArray[Any]
POOL = 16
"""Batches whose cases are sorted by length before they are cut apart: little padding, and the order stays random."""


def epoch_batches(prepared: Prepared, size: int, group: int, limit: int, chance: np.random.Generator) -> Ints:
    """The cases of one epoch, (batches, cases); what is left over at the end waits for another epoch."""
    lengths = np.minimum(prepared.facts.lengths, limit)
    groups = grouped(prepared.neighbours, prepared.negatives, group, chance)
    cases = np.concatenate(groups)
    longest = np.repeat([lengths[alike].max() for alike in groups], [len(alike) for alike in groups])
    size = min(size, len(cases))
    for start in range(0, len(cases), size * POOL):
        pool = slice(start, start + size * POOL)
        cases[pool] = cases[pool][np.argsort(longest[pool], kind="stable")]
    batches = cases[: len(cases) // size * size].reshape(-1, size)
    return chance.permutation(batches)


def grouped(neighbours: Ints, negatives: Ints, size: int, chance: np.random.Generator) -> list[Ints]:
    """Every case in one group of up to `size`: a case, and neighbours and mined negatives not yet in another."""
    free = np.ones(len(neighbours), dtype=bool)
    near = np.concatenate([neighbours, negatives], axis=1)
    groups = []
    for case in chance.permutation(len(near)).tolist():
        if not free[case]:
            continue
        free[case] = False
        others = np.unique(near[case])
        others = others[others >= 0]
        others = chance.permutation(others[free[others]])[: size - 1]
        free[others] = False
        groups.append(np.append(case, others))
    return groups
