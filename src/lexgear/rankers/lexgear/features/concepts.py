"""Latent semantic analysis of the documents of an index.

The strongest directions of the TF-IDF vectors are learnt once, from the documents at training time; queries and
documents that are added later are projected onto the same directions. The mean of all documents is subtracted. No
encoder is needed, so this works in every language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.array_checks import FLOATS, check_array
from lexgear.lexical.array_files import pack_strings, read_arrays, save_arrays, unpack_strings
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.merging import word_blocks
from lexgear.lexical.spilling import new_array, release
from lexgear.lexical.tf_idf import MAX_IDF, log_tf, smoothed_idf
from lexgear.rankers.lexgear.features.document_vectors import MAX_VALUE

MAX_DIRECTIONS = 300
MIN_DOCUMENTS_PER_DIRECTION = 8
MAX_WORDS = 20_000
"""Words that are used: those with the highest document frequency."""
MIN_DOCUMENT_FREQUENCY = 3
MAX_DOCUMENTS = 1 << 17
"""Documents that the directions are learnt from. Of more documents, evenly spaced ones are taken: the strongest
directions of so many change little with others, while time and memory would grow with all of them."""
ROWS_PER_BLOCK = 1 << 14
"""Documents that are projected at once."""
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Concepts:
    """Directions in the space of words, rounded to half precision."""

    words: tuple[str, ...]
    idf: Floats
    directions: Floats
    """Array of shape (words, directions)."""
    centre: Floats
    """Mean of the documents."""

    @classmethod
    def of(cls, counts: WordCounts) -> Concepts:
        """Learn the directions from the words of documents; the result is deterministic."""
        from scipy.sparse.linalg import svds

        frequency = np.diff(counts.starts)
        chosen = np.sort(np.argsort(-frequency, kind="stable")[:MAX_WORDS])
        chosen = chosen[frequency[chosen] >= MIN_DOCUMENT_FREQUENCY]
        words = tuple(counts.words[number] for number in chosen.tolist())
        idf = smoothed_idf(frequency[chosen], counts.document_count).astype(np.float32)
        size = min(MAX_DIRECTIONS, counts.document_count // MIN_DOCUMENTS_PER_DIRECTION, len(words) - 1)
        no_directions = np.zeros((len(words), max(size, 0)), np.float32)
        untrained = cls(words, idf, no_directions, np.zeros(no_directions.shape[1], np.float32))
        if size < 1:
            return untrained
        sample = counts
        if counts.document_count > MAX_DOCUMENTS:
            sample = counts.rows(np.linspace(0, counts.document_count - 1, MAX_DOCUMENTS).round().astype(np.int64))
        table = untrained._table(sample).astype(np.float64)
        # All weights are positive, so a start vector of ones is never orthogonal to the strongest direction.
        _, _, directions = svds(table, k=size, v0=np.ones(min(table.shape)), solver="arpack")
        kept = np.ascontiguousarray(directions.T.astype(np.float16), dtype=np.float32)
        centre = np.asarray(table @ kept).mean(0).astype(np.float16).astype(np.float32)
        return cls(words, idf, kept, centre)

    def vectors(self, counts: WordCounts) -> Floats:
        """Return one unit vector per document; zeros for a document that has none of the words."""
        found, end = new_array((counts.document_count, self.directions.shape[1]), np.float32), 0
        for part in counts.parts or (counts,):
            start, end = end, end + part.document_count
            self._project(part, found[start:end])
            release(found)
        return found

    def _project(self, counts: WordCounts, found: Floats) -> None:
        """Write the unit vectors of documents to the rows of an array."""
        table = self._table(counts)
        for first in range(0, len(found), ROWS_PER_BLOCK):
            rows = slice(first, first + ROWS_PER_BLOCK)
            projected = np.asarray(table[rows] @ self.directions) - self.centre
            projected[np.diff(table.indptr[first : first + ROWS_PER_BLOCK + 1]) == 0] = 0
            lengths = np.linalg.norm(projected, axis=1, keepdims=True)
            found[rows] = (projected / np.maximum(lengths, 1e-9)).astype(np.float16)

    def vector(self, words: Sequence[str]) -> Floats:
        """Return the unit vector of a text, given its words; zeros if it has none of the words that are used."""
        found: Floats = self.vectors(WordCounts.of([words]))[0]
        return found

    def save(self, path: Path) -> None:
        """Write plain arrays; `rarity` is the idf."""
        arrays = {name: getattr(self, name).astype(np.float16) for name in ("directions", "centre")}
        save_arrays(path, words=pack_strings(self.words), rarity=self.idf, **arrays)

    @classmethod
    def load(cls, path: Path) -> Concepts:
        """Read what `save` wrote."""
        arrays = read_arrays(path, ("words", "rarity", "directions", "centre"))
        words, size = tuple(unpack_strings(arrays["words"])), arrays["centre"].size
        check_array(path, "rarity", arrays["rarity"], FLOATS, (len(words),), 0, MAX_IDF)
        check_array(path, "directions", arrays["directions"], FLOATS, (len(words), size), -MAX_VALUE, MAX_VALUE)
        check_array(path, "centre", arrays["centre"], FLOATS, (size,), -MAX_VALUE, MAX_VALUE)
        # Directions in C order: a sparse product copies others for every query, 24 MB.
        numbers = [np.ascontiguousarray(arrays[name], dtype=np.float32) for name in ("rarity", "directions", "centre")]
        return cls(words, *numbers)

    @cached_property
    def _word_numbers(self) -> Mapping[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def _table(self, counts: WordCounts) -> Any:
        """Return the TF-IDF unit vectors of documents as a sparse matrix, one row per document."""
        from scipy.sparse import csr_array

        numbers = np.array([self._word_numbers.get(word, -1) for word in counts.words], dtype=np.int32)
        size = int(np.diff(counts.starts)[numbers >= 0].sum())
        columns, owners, values = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.float32)
        squares = np.zeros(counts.document_count)
        for _, _, own, weights in self._weighed(counts, numbers):
            np.add.at(squares, own, weights * weights)
        lengths = np.maximum(np.sqrt(squares), 1e-9)
        for place, column, own, weights in self._weighed(counts, numbers):
            columns[place], owners[place], values[place] = column, own, weights / lengths[own]
        return csr_array((values, (owners, columns)), shape=(counts.document_count, len(self.words)))

    def _weighed(self, counts: WordCounts, numbers: NDArray[np.int32]) -> Iterator[tuple[slice, Any, Any, Any]]:
        """Yield TF-IDF weights block by block: where they belong in the table, their words, documents and values."""
        first = 0
        for words in word_blocks(counts):
            starts = counts.starts[words.start : words.stop + 1]
            span = slice(int(starts[0]), int(starts[-1]))
            column = np.repeat(numbers[words], np.diff(starts))
            known = column >= 0
            column = column[known]
            last = first + len(column)
            weights = log_tf(counts.times[span][known]) * self.idf[column]
            yield slice(first, last), column, counts.documents[span][known], weights
            first = last
