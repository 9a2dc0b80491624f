"""Many texts as one long array of token numbers: mapped from disk, cut into windows without copying the rest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[Any]
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

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each text."""
        return np.diff(self.starts)

    def row(self, place: int) -> Ints:
        """One text."""
        return self.numbers[self.starts[place] : self.starts[place + 1]]

    def windows(self, rows: Ints, limit: int = WHOLE, skipped: Ints | int = 0) -> tuple[Ints, NDArray[np.bool_]]:
        """Up to `limit` tokens of each text after those skipped, padded with 0; and which of them count."""
        first = self.starts[rows] + skipped
        lengths = np.minimum(self.starts[rows + 1] - first, limit)
        width = -(-max(int(lengths.max(initial=1)), 1) // ALIGNED) * ALIGNED
        mask = np.arange(width) < np.maximum(lengths, 1)[:, None]
        places = np.minimum(first[:, None] + np.arange(mask.shape[1]), max(len(self.numbers) - 1, 0))
        taken = mask & (lengths > 0)[:, None]
        return np.where(taken, self.numbers[places], 0).astype(np.int64), mask

    def random_windows(
        self, rows: Ints, limit: int, chance: np.random.Generator, *, heads: float
    ) -> tuple[Ints, NDArray[np.bool_]]:
        """Windows that begin anywhere a whole one fits; a share of them, `heads`, at the beginning of its text."""
        room = np.maximum(self.lengths[rows] - limit, 0)
        skipped = chance.integers(0, room + 1)
        return self.windows(rows, limit, np.where(chance.random(len(rows)) < heads, 0, skipped))

    def save(self, directory: Path, name: str) -> None:
        """Writes two plain arrays."""
        np.save(directory / f"{name}.npy", self.numbers, allow_pickle=False)
        np.save(directory / f"{name}-starts.npy", self.starts, allow_pickle=False)

    @classmethod
    def load(cls, directory: Path, name: str) -> Stream:
        """What `save` wrote, the numbers mapped from disk."""
        numbers = np.load(directory / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        return cls(numbers, np.load(directory / f"{name}-starts.npy", allow_pickle=False))
