"""What texts are about, whatever words they use: latent semantic analysis of the documents of an index.

The strongest directions of the TF-IDF vectors are learnt once from the documents at hand, as weights are; documents
that come later and queries are told by the same directions. What all documents have in common says nothing and is
taken away. No encoder is needed, so it speaks every language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.array_files import pack_strings, read_arrays, unpack_strings
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.tf_idf import log_tf, smoothed_idf

MOST, EACH = 300, 8
"""Directions: no more than that, and no more than one for so many documents."""
WORDS, FEWEST = 20_000, 3
"""Words: those in most documents, and in no fewer than that."""
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Concepts:
    """Directions in the space of words, of numbers that half precision can keep."""

    words: tuple[str, ...]
    rarity: Floats
    directions: Floats
    """(words, directions)."""
    centre: Floats
    """Where the documents lie in the mean."""

    @classmethod
    def of(cls, counts: WordCounts) -> Concepts:
        """From the words of the documents; the same on every run."""
        from scipy.sparse.linalg import svds

        found_in = np.diff(counts.starts)
        chosen = np.sort(np.argsort(-found_in, kind="stable")[:WORDS])
        chosen = chosen[found_in[chosen] >= FEWEST]
        words = tuple(counts.words[number] for number in chosen.tolist())
        rarity = smoothed_idf(found_in[chosen], counts.document_count).astype(np.float32)
        size = min(MOST, counts.document_count // EACH, len(words) - 1)
        none = np.zeros((len(words), max(size, 0)), np.float32)
        fresh = cls(words, rarity, none, np.zeros(none.shape[1], np.float32))
        if size < 1:
            return fresh
        table = fresh._table(counts).astype(np.float64)
        # The weights are positive, so that a start of ones is never at right angles to the strongest direction.
        _, _, directions = svds(table, k=size, v0=np.ones(min(table.shape)), solver="arpack")
        kept = directions.T.astype(np.float16).astype(np.float32)
        centre = np.asarray(table @ kept).mean(0).astype(np.float16).astype(np.float32)
        return cls(words, rarity, kept, centre)

    def vectors(self, counts: WordCounts) -> Floats:
        """A unit vector a document; zeros where it has none of the words."""
        table = self._table(counts)
        found = np.asarray(table @ self.directions) - self.centre
        found[np.diff(table.indptr) == 0] = 0
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return np.asarray((found / np.maximum(lengths, 1e-9)).astype(np.float16), dtype=np.float32)

    def likeness(self, documents: Floats, words: Sequence[str]) -> NDArray[np.float64]:
        """The cosine of a text with each of the documents."""
        [vector] = self.vectors(WordCounts.of([words]))
        return np.asarray(documents @ vector, dtype=np.float64)

    def save(self, path: Path) -> None:
        """Writes plain arrays."""
        arrays = {name: getattr(self, name).astype(np.float16) for name in ("directions", "centre")}
        np.savez(path, allow_pickle=False, words=pack_strings(self.words), rarity=self.rarity, **arrays)

    @classmethod
    def load(cls, path: Path) -> Concepts:
        """What `save` wrote."""
        arrays = read_arrays(path, ("words", "rarity", "directions", "centre"))
        numbers = [arrays[name].astype(np.float32) for name in ("rarity", "directions", "centre")]
        return cls(tuple(unpack_strings(arrays["words"])), *numbers)

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def _table(self, counts: WordCounts) -> Any:
        """(documents, words): TF-IDF vectors of unit length, a row each."""
        from scipy.sparse import csr_array

        numbers = np.array([self._numbers.get(word, -1) for word in counts.words], dtype=np.int64)
        columns = np.repeat(numbers, np.diff(counts.starts))
        known = columns >= 0
        columns, owners = columns[known], counts.documents[known]
        values = log_tf(counts.times[known]) * self.rarity[columns]
        lengths = np.sqrt(np.bincount(owners, values * values, counts.document_count))
        values = (values / np.maximum(lengths[owners], 1e-9)).astype(np.float32)
        return csr_array((values, (owners, columns)), shape=(counts.document_count, len(self.words)))
