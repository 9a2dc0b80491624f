"""Masked spans (Raffel et al., 2020): short runs of tokens give way to sentinels, and are to be told from the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.pretraining.streams import ALIGNED

Ints = NDArray[Any]
Mask = NDArray[np.bool_]
LONGEST = 5
"""Tokens of a span: 1 to 5, 3 in the mean as in T5."""


@dataclass(frozen=True, slots=True)
class Corrupted:
    """Texts with sentinels in place of spans, and the spans after their sentinels."""

    numbers: Ints
    mask: Mask
    targets: Ints
    wanted: Mask


def corrupt(
    numbers: Ints, mask: Mask, chance: np.random.Generator, share: float, end: int, first_sentinel: int, sentinels: int
) -> Corrupted:
    """Hides about a share of each text: `a b c d e` becomes `a <0> d <1>` and `<0> b c <1> e <end>`."""
    places = np.arange(numbers.shape[1])
    starts = chance.random(numbers.shape) < share / ((1 + LONGEST) / 2)
    reach = np.where(starts, places + chance.integers(1, LONGEST + 1, numbers.shape), 0)
    hidden = (np.maximum.accumulate(reach, axis=1) > places) & mask
    opens = hidden & ~np.pad(hidden, ((0, 0), (1, 0)))[:, :-1]
    span = np.cumsum(opens, axis=1) - 1
    hidden, opens = hidden & (span < sentinels), opens & (span < sentinels)
    marks = first_sentinel + span
    shown = _packed(np.where(opens, marks, numbers), mask & (~hidden | opens))
    # Each place twice: the sentinel that opens a span, then the hidden token; and one place more for the end.
    pairs, chosen = np.stack([marks, numbers], axis=2), np.stack([opens, hidden], axis=2)
    targets = np.pad(pairs.reshape(len(numbers), -1), ((0, 0), (0, 1)), constant_values=end)
    wanted = np.pad(chosen.reshape(len(numbers), -1), ((0, 0), (0, 1)), constant_values=True)
    return Corrupted(*shown, *_packed(targets, wanted))


def _packed(numbers: Ints, kept: Mask) -> tuple[Ints, Mask]:
    """What is kept of each row, moved to its beginning; 0 after it."""
    counts = kept.sum(1)
    mask = np.arange(-(-int(counts.max(initial=1)) // ALIGNED) * ALIGNED) < counts[:, None]
    packed = np.zeros(mask.shape, dtype=np.int64)
    packed[mask] = numbers[kept]
    return packed, mask
