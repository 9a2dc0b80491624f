"""Segment of a `lexgear` index: the features of some documents, and those that were removed since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.place_sets import PlaceSets
from lexgear.files import PartsDirectory
from lexgear.lexical.array_checks import damaged_array
from lexgear.lexical.counts import WordCounts, merged
from lexgear.rankers.lexgear.features.document_vectors import map_vectors, save_vectors
from lexgear.rankers.lexgear.features.law_statistics import Facts, LawIdf, LawStatistics
from lexgear.rankers.words.segment import WordSegment

FACTS, PLACES, LAW = "facts.npz", "places.npz", "law-words.npz"
VECTORS, CONCEPTS = "vectors.npy", "concept-vectors.npy"
REMOVED_LAW = "removed-law-words.npz"


@dataclass(frozen=True, eq=False)
class FeatureSegment:
    """Features of documents that are never changed, except that some are marked as removed."""

    words: WordSegment
    facts: Facts
    """Word counts of the facts; read from disk only when documents are removed or segments merged."""
    places: PlaceSets
    law: LawStatistics
    """Statistics of all documents, removed or not."""
    concepts: NDArray[Any]
    vectors: NDArray[Any]
    idf: LawIdf
    removed_law: LawStatistics | None = None
    """Statistics of the removed documents."""

    @classmethod
    def of(
        cls,
        words: WordSegment,
        facts: WordCounts,
        places: PlaceSets,
        concepts: NDArray[Any],
        vectors: NDArray[Any],
        idf: LawIdf,
    ) -> Self:
        """Return a segment without removed documents."""
        return cls(words, lambda: facts, places, LawStatistics.of(facts, places, idf), concepts, vectors, idf)

    @property
    def ids(self) -> Sequence[str]:
        """The ids of the documents by position, removed or not."""
        return self.words.ids

    def __len__(self) -> int:
        return len(self.words)

    @property
    def removed(self) -> NDArray[np.int64]:
        """Positions of the removed documents, in order."""
        return self.words.removed

    @property
    def live(self) -> NDArray[np.bool_]:
        """Mask of the documents that were not removed."""
        return self.words.live

    def statistics(self) -> list[tuple[int, LawStatistics]]:
        """Return the statistics of the cases, those of removed documents with the factor −1."""
        return [(1, self.law), *([(-1, self.removed_law)] if self.removed_law else [])]

    def without(self, positions: Sequence[int]) -> Self:
        """Return the segment without the documents at these positions."""
        words = self.words.without(positions)
        law = LawStatistics.of(self.facts().rows(words.removed), self.places.rows(words.removed), self.idf)
        return replace(self, words=words, removed_law=law)

    @classmethod
    def merged(cls, segments: Sequence[Self], chosen: Sequence[NDArray[np.bool_]] | None = None) -> Self:
        """Return the live documents of several segments as one, in the same order, or those of a mask per segment."""
        masks = [one.live for one in segments] if chosen is None else chosen
        return cls.of(
            WordSegment.merged([one.words for one in segments], masks),
            merged([one.facts() for one in segments], masks),
            PlaceSets.merged([one.places for one in segments], masks),
            np.concatenate([one.concepts[mask] for one, mask in zip(segments, masks, strict=True)]),
            np.concatenate([one.vectors[mask] for one, mask in zip(segments, masks, strict=True)]),
            segments[0].idf,
        )

    def rows(self, order: Sequence[int]) -> Self:
        """Return the features of the documents at these positions, in this order; none may be removed."""
        counts = self.words.counted.counts.rows(order)
        ids = [self.ids[position] for position in order]
        return self.of(
            WordSegment.of(ids, counts, self.words.language),
            self.facts().rows(order),
            self.places.rows(order),
            self.concepts[order],
            self.vectors[order],
            self.idf,
        )

    def save(self, directory: PartsDirectory) -> None:
        """Write the features, with those of removed documents."""
        self.words.save(directory)
        self.facts().save(directory / FACTS)
        self.places.save(directory / PLACES)
        self.law.save(directory / LAW)
        save_vectors(directory / VECTORS, self.vectors)
        save_vectors(directory / CONCEPTS, self.concepts)

    def save_removed(self, directory: PartsDirectory) -> None:
        """Write which documents were removed, and their statistics."""
        self.words.save_removed(directory)
        if self.removed_law:
            self.removed_law.save(directory / REMOVED_LAW)

    @classmethod
    def load(cls, idf: LawIdf, directory: PartsDirectory, removed: PartsDirectory | None = None) -> Self:
        """Read what `save` wrote and, from another directory, what `save_removed` wrote."""
        words = WordSegment.load(directory, removed)
        concepts, vectors = (map_vectors(directory / name, len(words)) for name in (CONCEPTS, VECTORS))
        places = PlaceSets.load(directory / PLACES)
        if len(places.of_document) != len(words):
            raise damaged_array(directory / PLACES, f"places of {len(places.of_document)} of {len(words)} documents")
        return cls(
            words,
            cache(partial(_read_facts, directory / FACTS, len(words))),
            places,
            LawStatistics.load(directory / LAW),
            concepts,
            vectors,
            idf,
            LawStatistics.load(removed / REMOVED_LAW) if removed else None,
        )


def _read_facts(path: Path, documents: int) -> WordCounts:
    """Map the word counts of facts and check their documents."""
    try:
        counts, _ = WordCounts.load(path)
    except ValueError as error:
        raise damaged_array(path, f"the words cannot be read: {error}") from error
    if counts.document_count != documents:
        raise damaged_array(path, f"facts of {counts.document_count} of {documents} documents")
    return counts.checked()
