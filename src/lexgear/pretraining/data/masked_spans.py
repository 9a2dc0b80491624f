"""Span corruption (Raffel et al., 2020): short runs of tokens are replaced by sentinels and must be predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.pretraining.data.token_streams import compact_rows

Ints = NDArray[Any]
Mask = NDArray[np.bool_]
MAX_SPAN = 5
"""Tokens per span: 1 to 5, 3 on average as in T5."""


@dataclass(frozen=True, slots=True)
class Corrupted:
    """Texts with sentinels instead of spans, and the target spans after their sentinels."""

    numbers: Ints
    mask: Mask
    targets: Ints
    wanted: Mask


def corrupt(
    numbers: Ints, mask: Mask, rng: np.random.Generator, share: float, end: int, first_sentinel: int, sentinels: int
) -> Corrupted:
    """Mask about a share of each text: `a b c d e` becomes `a <0> d <1>` and `<0> b c <1> e <end>`."""
    hidden = _runs(mask.shape, rng, share / ((1 + MAX_SPAN) / 2)) & mask
    opens = hidden.copy()
    opens[:, 1:] &= ~hidden[:, :-1]
    span = np.cumsum(opens, axis=1, dtype=np.int32) - 1
    hidden, opens = hidden & (span < sentinels), opens & (span < sentinels)
    marks = (first_sentinel + span).astype(np.uint16)
    shown = compact_rows(np.where(opens, marks, numbers), mask & (~hidden | opens))
    # Two slots per position, the sentinel that opens a span and the masked token, and one slot for the end.
    width = 2 * mask.shape[1]
    targets, wanted = np.empty((len(mask), width + 1), dtype=np.uint16), np.empty((len(mask), width + 1), dtype=bool)
    targets[:, 0:width:2], targets[:, 1:width:2], targets[:, width] = marks, numbers, end
    wanted[:, 0:width:2], wanted[:, 1:width:2], wanted[:, width] = opens, hidden, True
    return Corrupted(*shown, *compact_rows(targets, wanted))


def _runs(shape: tuple[int, ...], rng: np.random.Generator, density: float) -> Mask:
    """Return a mask of runs of 1 to `MAX_SPAN` positions that start with probability `density`; runs may touch."""
    begins = rng.random(shape, dtype=np.float32) < density
    reach = rng.integers(1, MAX_SPAN + 1, shape, dtype=np.int8) * begins
    covered = reach > 0
    for places in range(1, MAX_SPAN):
        covered[:, places:] |= reach[:, :-places] > places
    return covered
