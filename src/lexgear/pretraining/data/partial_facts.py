"""Partial facts: random runs of a text, as a user would describe a case with fewer details than a court."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.pretraining.data.token_streams import Stream, Windows, compact_rows, stack_windows

Ints = NDArray[Any]
PARTIAL_SHARE = 0.35
"""Share of the cases that are shortened to partial facts: queries are short, judgments long."""
RUN_LENGTH = 12
"""Mean tokens per run: about two clauses."""
MIN_SHARE, MAX_SHARE = 0.15, 0.7
"""Smallest share of the maximum length that partial facts fill, if the text is long enough, and largest share of a
text."""


def sample_facts(
    stream: Stream, rows: Ints, limit: int, rng: np.random.Generator, heads: float, after: Ints
) -> Windows:
    """Return a window or partial facts of each text; the first `after` tokens of a text are skipped."""
    partly = rng.random(len(rows)) < PARTIAL_SHARE
    whole, part = np.flatnonzero(~partly), np.flatnonzero(partly)
    windows = stack_windows(
        [
            stream.random_windows(rows[whole], limit, rng, heads=heads, after=after[whole]),
            partial_facts(stream.windows(rows[part], skipped=after[part]), limit, rng),
        ]
    )
    order = np.argsort(np.concatenate([whole, part]))
    return windows[0][order], windows[1][order]


def partial_facts(texts: Windows, limit: int, rng: np.random.Generator) -> Windows:
    """Return random runs of each text in order, at most `limit` tokens."""
    numbers, mask = texts
    lengths = np.maximum(mask.sum(1), 1)
    share = np.minimum(rng.uniform(MIN_SHARE, 1.0, len(mask)) * limit / lengths, MAX_SHARE)
    run = np.cumsum(rng.random(mask.shape, dtype=np.float32) < 1 / RUN_LENGTH, axis=1, dtype=np.int64)
    draws = rng.random((len(mask), mask.shape[1] + 1), dtype=np.float32)  # one number per run
    kept = (np.take_along_axis(draws, run, axis=1) < share[:, None]) & mask
    kept[:, :RUN_LENGTH] |= ~kept.any(1, keepdims=True) & mask[:, :RUN_LENGTH]
    return compact_rows(numbers, kept, limit)
