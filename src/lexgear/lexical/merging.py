"""Merging of word counts, a range of words after the other, so that memory holds a few million postings at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from lexgear.lexical.counts import WordCounts

Ints = NDArray[Any]
POSTINGS_PER_BLOCK = 1 << 22
"""Postings of large counts that are copied at once."""


@dataclass(frozen=True)
class MergeSource:
    """Counts that are merged with others."""

    part: WordCounts
    mask: Ints | None
    places: Ints
    """New number of each word; one more than there are for a word without live documents."""
    used: Ints
    """Words with live documents; their new numbers rise."""
    positions: Ints
    """New position of each document; only the first one if all documents stay."""

    @classmethod
    def of(cls, part: WordCounts, mask: Ints | None, numbers: Mapping[str, int], offset: int) -> MergeSource:
        """Return the counts of a part whose first document gets the position `offset`."""
        places = np.fromiter((numbers.get(word, len(numbers)) for word in part.words), np.int32, len(part.words))
        first = np.array([offset], np.int32)
        positions = first if mask is None else (offset + np.cumsum(mask) - 1).astype(np.int32)
        return cls(part, mask, places, np.flatnonzero(places < len(numbers)).astype(np.int32), positions)

    def copy(self, block: slice, after: Ints, documents: Ints, times: Ints) -> None:
        """Copy the postings of a range of new words to their place; `after` is where those of each word continue."""
        part = self.part
        first, last = np.searchsorted(self.places[self.used], (block.start, block.stop)).tolist()
        if first == last:
            return
        own = slice(int(self.used[first]), int(self.used[last - 1]) + 1)
        span = slice(int(part.starts[own.start]), int(part.starts[own.stop]))
        owners, counted = part.documents[span], part.times[span]
        if self.mask is None:
            sizes, new = np.diff(part.starts[own.start : own.stop + 1]), owners + self.positions
        else:
            kept = self.mask[owners]
            before = np.append(0, np.cumsum(kept))
            sizes = np.diff(before[part.starts[own.start : own.stop + 1] - span.start])
            counted, new = counted[kept], self.positions[owners[kept]]
        place = self.places[own]
        target = np.repeat(after[place] - (np.cumsum(sizes) - sizes), sizes) + np.arange(len(new))
        documents[target], times[target] = new, counted
        np.add.at(after, place, sizes)


def used_words(part: WordCounts, mask: Ints | None) -> Iterable[str]:
    """Return the words that live documents have."""
    return (part.words[at] for at in np.flatnonzero(live_sizes(part, mask)).tolist())


def live_sizes(part: WordCounts, mask: Ints | None) -> Ints:
    """Return the number of live postings per word."""
    if mask is None:
        return np.diff(part.starts)
    sizes = np.zeros(len(part.words), np.int64)
    for words in word_blocks(part):
        span = slice(int(part.starts[words.start]), int(part.starts[words.stop]))
        before = np.append(0, np.cumsum(mask[part.documents[span]]))
        sizes[words] = np.diff(before[part.starts[words.start : words.stop + 1] - span.start])
    return sizes


def word_blocks(part: WordCounts, words: int = 1 << 62) -> Iterator[slice]:
    """Yield ranges of at most `words` words that together have about `POSTINGS_PER_BLOCK` postings."""
    first = 0
    while first < len(part.words):
        last = int(np.searchsorted(part.starts, part.starts[first] + POSTINGS_PER_BLOCK, "right")) - 1
        last = min(max(last, first + 1), first + words)
        yield slice(first, last)
        first = last


def blocks(count: int) -> list[slice]:
    """Return ranges of at most `POSTINGS_PER_BLOCK` that cover `count` postings."""
    return [slice(at, min(at + POSTINGS_PER_BLOCK, count)) for at in range(0, count, POSTINGS_PER_BLOCK)]
