"""Rankers whose documents are in immutable segments, so that adding and removing costs no more than what changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection
from lexgear.files import PartsDirectory
from lexgear.privacy.neutral import Neutraliser
from lexgear.progress import Progress, silent


class SegmentDirectory(NamedTuple):
    """Directories of a segment and of the list of documents removed from it, if there are any."""

    directory: PartsDirectory
    removed: PartsDirectory | None = None


class Segment(Protocol):
    """Documents of a ranker that are never changed, except that some are marked as removed."""

    ids: Sequence[str]
    """The ids of the documents by position, removed or not."""

    def __len__(self) -> int:
        """Return the number of documents, removed or not."""

    @property
    def removed(self) -> NDArray[np.int64]:
        """Positions of the removed documents, in order."""

    def without(self, positions: Sequence[int]) -> Self:
        """Return the segment without the documents at these positions."""

    @property
    def live(self) -> NDArray[np.bool_]:
        """Mask of the documents that were not removed."""

    @classmethod
    def merged(cls, segments: Sequence[Self], chosen: Sequence[NDArray[np.bool_]] | None = None) -> Self:
        """Return the live documents of several segments as one, in the same order, or those of a mask per segment."""

    def save(self, directory: PartsDirectory) -> None:
        """Write the documents, removed or not."""

    def save_removed(self, directory: PartsDirectory) -> None:
        """Write which documents were removed, and their statistics."""


class SegmentedRanker(ABC):
    """Mixin of rankers over segments. Rankings depend on the live documents alone, not on how segments divide them."""

    segments: tuple[Any, ...]
    names: Neutraliser

    def read_segment(self, collection: Collection, progress: Progress = silent) -> Any:
        """Return new documents as a segment; what was learnt is used as it is."""
        return self._read_segment(self.names.collection(collection), progress)

    @abstractmethod
    def _read_segment(self, collection: Collection, progress: Progress) -> Any:
        """Implement `read_segment` for a collection without person names."""

    @abstractmethod
    def with_segments(self, segments: Sequence[Any], progress: Progress = silent) -> Self:
        """Return this ranker over other segments."""

    @abstractmethod
    def save_learnt(self, directory: PartsDirectory) -> None:
        """Write the parts that do not change when documents are added or removed."""

    @classmethod
    @abstractmethod
    def load_segments(cls, directory: PartsDirectory, segments: Sequence[SegmentDirectory], settings: Any) -> Self:
        """Read the learnt parts from a directory, and segments from theirs."""

    def save(self, directory: PartsDirectory) -> None:
        """Write the ranker into one directory, with all live documents in one segment."""
        self.save_learnt(directory)
        self.save_documents(directory)

    def save_documents(self, directory: PartsDirectory) -> None:
        """Write all live documents as one segment."""
        self.compacted().save(directory)

    def compacted(self) -> Any:
        """Return all live documents as one segment."""
        if len(self.segments) == 1 and not len(self.segments[0].removed):
            return self.segments[0]
        return type(self.segments[0]).merged(self.segments)

    @classmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote."""
        return cls.load_segments(directory, [SegmentDirectory(directory)], settings)
