"""Many texts as one long array of token numbers, cut into windows without copying the rest."""

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
"""Token numbers, a row a text, padded with 0; and which of them count."""
WHOLE = 1 << 30
ALIGNED = 8
"""Rows are padded to a multiple: a GPU copies the bias of attention otherwise."""


@dataclass(frozen=True, eq=False)
class Stream:
    """The i-th text stands at `starts[i]:starts[i + 1]`."""

    numbers: NDArray[np.uint16]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, rows: Iterable[Ints]) -> Stream:
        """Rows one after the other."""
        parts = [np.asarray(row, dtype=np.uint16) for row in rows]
        starts = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
        return cls(np.concatenate([*parts, np.empty(0, dtype=np.uint16)]), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def beside(self, other: Stream) -> Stream:
        """Each text followed by the same one of another stream."""
        both = (np.concatenate([self.row(place), other.row(place)]) for place in range(len(self)))
        return Stream.of(both)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each text."""
        return np.diff(self.starts)

    def row(self, place: int) -> Ints:
        """One text."""
        return self.numbers[self.starts[place] : self.starts[place + 1]]

    def windows(self, rows: Ints, limit: int = WHOLE, skipped: Ints | int = 0) -> Windows:
        """Up to `limit` tokens of each text after those skipped."""
        first = self.starts[rows] + skipped
        lengths = np.minimum(self.starts[rows + 1] - first, limit)
        width = aligned(int(lengths.max(initial=1)))
        mask = np.arange(width) < np.maximum(lengths, 1)[:, None]
        numbers = np.zeros(mask.shape, dtype=np.uint16)
        taken = mask & (lengths > 0)[:, None]
        within = np.arange(int(taken.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        numbers[taken] = self.numbers[np.repeat(first, lengths) + within]
        return numbers, mask

    def random_windows(
        self, rows: Ints, limit: int, rng: np.random.Generator, *, heads: float, after: Ints | int = 0
    ) -> Windows:
        """Windows that begin anywhere a whole one fits; a share of them, `heads`, at the beginning of its text.

        The first `after` tokens of a text are not looked at.
        """
        room = np.maximum(self.lengths[rows] - after - limit, 0)
        skipped = rng.integers(0, room + 1)
        return self.windows(rows, limit, after + np.where(rng.random(len(rows)) < heads, 0, skipped))

    def save(self, directory: Path, name: str) -> None:
        """Writes two plain arrays."""
        np.save(directory / f"{name}.npy", self.numbers, allow_pickle=False)
        np.save(directory / f"{name}-starts.npy", self.starts, allow_pickle=False)

    @classmethod
    def load(cls, directory: Path, name: str) -> Stream:
        """What `save` wrote."""
        numbers, starts = (np.load(directory / f"{part}.npy", allow_pickle=False) for part in (name, f"{name}-starts"))
        return cls(numbers, starts)


def aligned(width: int) -> int:
    """The width of padded rows: at least 1, a multiple of `ALIGNED`."""
    return -(-max(width, 1) // ALIGNED) * ALIGNED


def packed(numbers: Ints, kept: Mask, limit: int = WHOLE) -> Windows:
    """What is kept of each row, up to `limit`, moved to its beginning."""
    counts = kept.sum(1)
    if counts.max(initial=0) > limit:
        kept = kept & (np.cumsum(kept, axis=1) <= limit)
        counts = np.minimum(counts, limit)
    mask = np.arange(aligned(int(counts.max(initial=1)))) < counts[:, None]
    moved = np.zeros(mask.shape, dtype=np.uint16)
    moved[mask] = numbers[kept]
    return moved, mask


def stacked(windows: Iterable[Windows]) -> Windows:
    """Windows one below the other."""
    parts = list(windows)
    width = max(mask.shape[1] for _, mask in parts)
    numbers, mask = (
        np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in both])
        for both in zip(*parts, strict=True)
    )
    return numbers, mask
