"""Sparse array of word weights: what a word adds to the score of each document that contains it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.array_files import pack_strings, read_arrays, unpack_strings
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.tf_idf import bm25_idf

Floats = NDArray[np.float32]
Ints = NDArray[Any]


@dataclass(frozen=True)
class SparseWeights:
    """Weights by column: those of word w are at `starts[w]:starts[w + 1]`."""

    words: Mapping[str, int]
    starts: Ints
    documents: Ints
    weights: Floats
    document_count: int

    @classmethod
    def bm25(cls, texts: Sequence[Sequence[str]] | WordCounts, *, k1: float, b: float) -> SparseWeights:
        """Compute BM25 weights (Lucene's variant, as in bm25s) from the words of each document or from their counts."""
        counts = _counts(texts)
        df, lengths = np.diff(counts.starts), counts.lengths
        idf = bm25_idf(df, counts.document_count)
        saturation = k1 * (1 - b + b * lengths / max(float(lengths.mean()), 1e-9))
        shares = counts.times / (counts.times + saturation[counts.documents])
        return cls._from_weights(counts, np.repeat(idf, df) * shares)

    @classmethod
    def _from_weights(cls, counts: WordCounts, weights: NDArray[np.float64]) -> SparseWeights:
        words = {word: number for number, word in enumerate(counts.words)}
        return cls(words, counts.starts, counts.documents, weights.astype(np.float32), counts.document_count)

    def idf(self, word: str) -> float:
        """Return the BM25 idf of a word; highest for a word of no document."""
        number = self.words.get(word)
        df = 0 if number is None else int(self.starts[number + 1] - self.starts[number])
        return bm25_idf(df, self.document_count)

    def known(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of the words that occur in some document, with repetitions."""
        return [self.words[word] for word in words if word in self.words]

    def sums(self, words: Sequence[int]) -> Floats:
        """Return the sum of the weights of these words per document; a repeated word counts again."""
        return self.dot(Counter(words))

    def dot(self, query: Mapping[int, float]) -> Floats:
        """Return the dot product of the query's word weights with each document.

        All postings are added in one call, which is a seventh faster than word by word as in bm25s.
        """
        sums = np.zeros(self.document_count, dtype=np.float32)
        if query:
            numbers = np.fromiter(query, dtype=np.int64, count=len(query))
            spans = list(map(slice, self.starts[numbers].tolist(), self.starts[numbers + 1].tolist()))
            weights = [self.weights[span] for span in spans]
            for place, times in enumerate(query.values()):
                if times != 1:
                    weights[place] = weights[place] * np.float32(times)
            documents = np.concatenate([self.documents[span] for span in spans])
            np.add.at(sums, documents, np.concatenate(weights))
        return sums

    def save(self, path: Path, **more: NDArray[Any]) -> None:
        """Write an `.npz` file, with the caller's arrays `more`."""
        arrays: dict[str, Any] = {
            "words": pack_strings(list(self.words)),
            "starts": self.starts,
            "documents": self.documents,
            "weights": self.weights,
            "document_count": np.int64(self.document_count),
        }
        np.savez(path, allow_pickle=False, **arrays, **more)

    @classmethod
    def load(cls, path: Path) -> tuple[SparseWeights, dict[str, NDArray[Any]]]:
        """Read what `save` wrote: the weights and the caller's arrays."""
        arrays = read_arrays(path, ("words", "starts", "documents", "weights", "document_count"))
        words = {word: number for number, word in enumerate(unpack_strings(arrays.pop("words")))}
        own = [arrays.pop(name) for name in ("starts", "documents", "weights")]
        count = int(arrays.pop("document_count"))
        return cls(words, own[0], own[1], own[2], count), arrays


def _counts(texts: Sequence[Sequence[str]] | WordCounts) -> WordCounts:
    return texts if isinstance(texts, WordCounts) else WordCounts.of(texts)
