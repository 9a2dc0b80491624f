"""Segment of an index of words: the ids and word counts of some documents, and those that were removed since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lexgear.files import PartsDirectory
from lexgear.lexical.array_checks import INTEGERS, check_array, damaged_array
from lexgear.lexical.array_files import pack_strings, unpack_strings
from lexgear.lexical.counts import WordCounts, merged
from lexgear.lexical.word_index import CountedSegment

PART, REMOVED = "words.npz", "removed-words.npz"


@dataclass(frozen=True, eq=False)
class WordSegment:
    """Documents of a word ranker that are never changed, except that some are marked as removed."""

    ids: Sequence[str]
    counted: CountedSegment
    language: str

    @classmethod
    def of(cls, ids: Sequence[str], counts: WordCounts, language: str) -> Self:
        """Return a segment without removed documents."""
        return cls(tuple(ids), CountedSegment.of(counts), language)

    def __len__(self) -> int:
        return self.counted.counts.document_count

    @property
    def removed(self) -> NDArray[np.int64]:
        """Positions of the removed documents, in order."""
        return self.counted.removed

    @cached_property
    def live(self) -> NDArray[np.bool_]:
        """Mask of the documents that were not removed."""
        return self.counted.live

    @classmethod
    def merged(cls, segments: Sequence[Self], chosen: Sequence[NDArray[np.bool_]] | None = None) -> Self:
        """Return the live documents of several segments as one, in the same order, or those of a mask per segment."""
        masks = [one.live for one in segments] if chosen is None else chosen
        counts = merged([one.counted.counts for one in segments], masks)
        pairs = zip(segments, masks, strict=True)
        ids = [name for one, mask in pairs for name, live in zip(one.ids, mask.tolist(), strict=True) if live]
        return cls.of(ids, counts, segments[0].language)

    def without(self, positions: Sequence[int]) -> Self:
        """Return the segment without the documents at these positions."""
        return type(self)(self.ids, self.counted.without(np.asarray(positions, np.int64)), self.language)

    def save(self, directory: PartsDirectory) -> None:
        """Write ids and counts, with removed documents."""
        texts = {"ids": pack_strings(self.ids), "language": pack_strings([self.language])}
        self.counted.counts.save(directory / PART, **texts)

    def save_removed(self, directory: PartsDirectory) -> None:
        """Write which documents were removed, with their counts."""
        self.counted.removed_counts.save(directory / REMOVED, positions=self.removed)

    @classmethod
    def load(cls, directory: PartsDirectory, removed: PartsDirectory | None = None) -> Self:
        """Read what `save` wrote and, from another directory, what `save_removed` wrote."""
        counts, own = WordCounts.load(directory / PART)
        segment = cls.of(unpack_strings(own["ids"]), counts, unpack_strings(own["language"])[0])
        if len(segment.ids) != len(segment):
            raise damaged_array(directory / PART, f"{len(segment.ids)} ids of {len(segment)} documents")
        if removed is None:
            return segment
        path = removed / REMOVED
        removed_counts, own = WordCounts.load(path)
        positions = own["positions"]
        check_array(path, "positions", positions, INTEGERS, (removed_counts.document_count,), 0, len(segment) - 1)
        if np.any(positions[1:] <= positions[:-1]):
            raise damaged_array(path, "the removed documents are not in order")
        return cls(segment.ids, CountedSegment(counts, positions, removed_counts.checked()), segment.language)
