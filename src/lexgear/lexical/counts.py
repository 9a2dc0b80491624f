"""Counts of words in documents, from which all word weights are computed.

Words are in alphabetical order, and only words of some document are kept: the counts of the same documents are the same
bytes, whether the documents were added together or one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.array_files import pack_strings, read_arrays, unpack_strings

Ints = NDArray[Any]


@dataclass(frozen=True, eq=False)
class WordCounts:
    """Counts by column: those of word w are at `starts[w]:starts[w + 1]`, in the order of the documents.

    >>> counts = WordCounts.of([["rent", "tax", "rent"], ["road"]]).with_texts([["tax"]])
    >>> counts.words, counts.rows([2, 1]).words
    (('rent', 'road', 'tax'), ('road', 'tax'))
    """

    words: tuple[str, ...]
    starts: Ints
    documents: Ints
    times: Ints
    document_count: int

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]]) -> WordCounts:
        """Count the words of each document."""
        none = np.zeros(0, np.int32)
        return cls((), np.zeros(1, np.int32), none, none, 0).with_texts(texts)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Number of words per document, with repetitions."""
        return np.bincount(self.documents, self.times, self.document_count).astype(np.int64)

    def with_texts(self, texts: Iterable[Sequence[str]]) -> WordCounts:
        """Return the counts with further documents appended, given their words."""
        numbers = {word: number for number, word in enumerate(self.words)}
        counts = [Counter(text) for text in texts]
        total = sum(map(len, counts))
        columns = np.fromiter(
            (numbers.setdefault(word, len(numbers)) for row in counts for word in row), np.int64, total
        )
        times = np.fromiter((times for row in counts for times in row.values()), np.int64, total)
        documents = self.document_count + np.repeat(np.arange(len(counts)), [len(row) for row in counts])
        return _ordered(
            list(numbers),
            np.append(self._columns, columns),
            np.append(self.documents, documents),
            np.append(self.times, times),
            self.document_count + len(counts),
        )

    def rows(self, places: Sequence[int]) -> WordCounts:
        """Return the counts of the documents at these positions, in this order."""
        new = np.full(self.document_count, -1, np.int64)
        new[np.asarray(places, dtype=np.int64)] = np.arange(len(places))
        documents = new[self.documents]
        kept = documents >= 0
        return _ordered(self.words, self._columns[kept], documents[kept], self.times[kept], len(places))

    def without(self, places: Sequence[int]) -> WordCounts:
        """Return the counts with the documents at these positions emptied; positions do not change."""
        kept = ~np.isin(self.documents, np.asarray(places, dtype=np.int64))
        return _ordered(self.words, self._columns[kept], self.documents[kept], self.times[kept], self.document_count)

    def save(self, path: Path, **more: NDArray[Any]) -> None:
        """Write an `.npz` file with the smallest integer types that fit, and the caller's arrays `more`."""
        arrays: dict[str, Any] = {
            "words": pack_strings(self.words),
            "starts": self.starts,
            "documents": self.documents.astype(np.min_scalar_type(self.document_count)),
            "times": self.times.astype(np.min_scalar_type(self.times.max(initial=0))),
            "document_count": np.int64(self.document_count),
        }
        np.savez(path, allow_pickle=False, **arrays, **more)

    @classmethod
    def load(cls, path: Path) -> tuple[WordCounts, dict[str, NDArray[Any]]]:
        """Read what `save` wrote: the counts and the caller's arrays."""
        arrays = read_arrays(path, ("words", "starts", "documents", "times", "document_count"))
        words, starts = tuple(unpack_strings(arrays.pop("words"))), arrays.pop("starts")
        documents, times = (arrays.pop(name).astype(np.int32) for name in ("documents", "times"))
        return cls(words, starts, documents, times, int(arrays.pop("document_count"))), arrays

    @property
    def _columns(self) -> Ints:
        return np.repeat(np.arange(len(self.words)), np.diff(self.starts))


def _ordered(words: Sequence[str], columns: Ints, documents: Ints, times: Ints, document_count: int) -> WordCounts:
    """Return counts in canonical order from words and entries in any order."""
    used = np.flatnonzero(np.bincount(columns, minlength=len(words))).tolist()
    order = sorted(used, key=words.__getitem__)
    rank = np.zeros(len(words), np.int64)
    rank[order] = np.arange(len(order))
    keys = rank[columns] * document_count + documents
    entries = np.argsort(keys, kind="stable")
    starts = np.searchsorted(keys[entries], np.arange(len(order) + 1) * document_count)
    return WordCounts(
        tuple(words[number] for number in order),
        starts.astype(np.int32),
        documents[entries].astype(np.int32),
        times[entries].astype(np.int32),
        document_count,
    )
