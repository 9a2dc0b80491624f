"""Tokenised texts in one array, with windows cut from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[Any]
Mask = NDArray[np.bool_]
Windows = tuple[Ints, Mask]
"""Token ids, one row per text padded with 0, and a mask of the valid positions."""
NO_LIMIT = 1 << 30
ALIGNMENT = 8
"""Multiple that rows are padded to: on a GPU other widths copy the attention bias."""


@dataclass(frozen=True, eq=False)
class Stream:
    """Texts in one array; text i is at `starts[i]:starts[i + 1]`."""

    numbers: NDArray[np.uint16]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, rows: Iterable[Ints]) -> Stream:
        """Concatenate rows."""
        parts = [np.asarray(row, dtype=np.uint16) for row in rows]
        starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
        return cls(np.concatenate([*parts, np.empty(0, dtype=np.uint16)]), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def beside(self, other: Stream) -> Stream:
        """Append to each text the same text of another stream."""
        both = (np.concatenate([self.row(place), other.row(place)]) for place in range(len(self)))
        return Stream.of(both)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens per text."""
        return np.diff(self.starts)

    def row(self, place: int) -> Ints:
        """Return one text."""
        return self.numbers[self.starts[place] : self.starts[place + 1]]

    def windows(self, rows: Ints, limit: int = NO_LIMIT, skipped: Ints | int = 0) -> Windows:
        """Return up to `limit` tokens of each text after the first `skipped`."""
        first = self.starts[rows] + skipped
        lengths = np.minimum(self.starts[rows + 1] - first, limit)
        width = aligned_width(int(lengths.max(initial=1)))
        mask = np.arange(width) < np.maximum(lengths, 1)[:, None]
        numbers = np.zeros(mask.shape, dtype=np.uint16)
        taken = mask & (lengths > 0)[:, None]
        within = np.arange(int(taken.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        numbers[taken] = self.numbers[np.repeat(first, lengths) + within]
        return numbers, mask

    def random_windows(
        self, rows: Ints, limit: int, rng: np.random.Generator, *, heads: float, after: Ints | int = 0
    ) -> Windows:
        """Return windows at random positions; a share `heads` of them starts at the beginning of the text.

        The first `after` tokens of a text are skipped.
        """
        room = np.maximum(self.lengths[rows] - after - limit, 0)
        skipped = rng.integers(0, room + 1)
        return self.windows(rows, limit, after + np.where(rng.random(len(rows)) < heads, 0, skipped))

    def save(self, directory: Path, name: str) -> None:
        """Write two plain arrays."""
        np.save(directory / f"{name}.npy", self.numbers, allow_pickle=False)
        np.save(directory / f"{name}-starts.npy", self.starts, allow_pickle=False)

    @classmethod
    def load(cls, directory: Path, name: str) -> Stream:
        """Read what `save` wrote."""
        numbers, starts = (np.load(directory / f"{part}.npy", allow_pickle=False) for part in (name, f"{name}-starts"))
        return cls(numbers, starts)


def aligned_width(width: int) -> int:
    """Return the width of padded rows: at least 1, a multiple of `ALIGNMENT`."""
    return -(-max(width, 1) // ALIGNMENT) * ALIGNMENT


def compact_rows(numbers: Ints, kept: Mask, limit: int = NO_LIMIT) -> Windows:
    """Move the kept tokens of each row, up to `limit`, to its beginning."""
    counts = kept.sum(1)
    if counts.max(initial=0) > limit:
        kept = kept & (np.cumsum(kept, axis=1) <= limit)
        counts = np.minimum(counts, limit)
    mask = np.arange(aligned_width(int(counts.max(initial=1)))) < counts[:, None]
    moved = np.zeros(mask.shape, dtype=np.uint16)
    moved[mask] = numbers[kept]
    return moved, mask


def framed(windows: Windows, frame: tuple[int, int]) -> Windows:
    """Put a token before and one after each text."""
    inside, mask = windows
    lengths, rows = mask.sum(1), np.arange(len(mask))
    width = aligned_width(int(lengths.max(initial=1)) + len(frame))
    numbers = np.zeros((len(mask), width), dtype=np.uint16)
    numbers[:, 1 : 1 + inside.shape[1]] = inside[:, : width - 1]
    numbers[:, 0], numbers[rows, lengths + 1] = frame
    return numbers, np.arange(width) < (lengths + len(frame))[:, None]


def stack_windows(windows: Iterable[Windows]) -> Windows:
    """Stack windows vertically."""
    parts = list(windows)
    width = max(mask.shape[1] for _, mask in parts)
    numbers, mask = (
        np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in both])
        for both in zip(*parts, strict=True)
    )
    return numbers, mask
