"""Counts of words in documents, from which all word weights are computed.

Words are in alphabetical order, and only words of some document are kept: the counts of the same documents are the same
bytes, whether the documents were added together or one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from sys import intern
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.errors import ErrorCode, InputError
from lexgear.lexical.array_checks import INTEGERS, check_array, is_within
from lexgear.lexical.array_files import pack_strings, read_arrays, save_arrays, unpack_strings
from lexgear.lexical.merging import MergeSource, blocks, live_sizes, used_words, word_blocks
from lexgear.lexical.spilling import new_array, release, spilled

Ints = NDArray[Any]
TEXTS_PER_BLOCK = 10_000
"""Texts counted before their counts are put in order: the words of more texts are never held at once."""
MAX_DOCUMENT = (1 << 31) - 1
"""Largest position of a document."""


@dataclass(frozen=True, eq=False)
class WordCounts:
    """Counts by column: those of word w are at `starts[w]:starts[w + 1]`, in the order of the documents.

    >>> counts = WordCounts.of([["rent", "tax", "rent"], ["road"], ["tax"]])
    >>> counts.words, counts.rows([2, 1]).words
    (('rent', 'road', 'tax'), ('road', 'tax'))
    """

    words: tuple[str, ...]
    starts: Ints
    """64-bit, since a few million documents have more than 2³¹ postings."""
    documents: Ints
    times: Ints
    document_count: int
    parts: tuple[WordCounts, ...] = ()
    """The same counts by ranges of documents, if they were counted so."""

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]]) -> WordCounts:
        """Count the words of each document, text by text."""
        [counts] = count_together(((text,) for text in texts), 1)
        return counts

    def moved(self) -> WordCounts:
        """Return the same counts in files within `spilling_to`, with words that they share with other counts."""
        return replace(
            self, words=tuple(map(intern, self.words)), documents=spilled(self.documents), times=spilled(self.times)
        )

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Number of words per document, with repetitions."""
        lengths = np.zeros(self.document_count)
        for part in blocks(len(self.documents)):
            np.add.at(lengths, self.documents[part], self.times[part].astype(np.float64))
        return lengths.astype(np.int64)

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """Number of occurrences per word."""
        sums = np.zeros(len(self.words), np.int64)
        for words in word_blocks(self):
            starts = self.starts[words.start : words.stop + 1]
            sums[words] = np.add.reduceat(self.times[starts[0] : starts[-1]], starts[:-1] - starts[0], dtype=np.int64)
        return sums

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def postings(self, number: int) -> slice:
        """Return where the postings of a word are."""
        return slice(int(self.starts[number]), int(self.starts[number + 1]))

    def rows(self, places: Sequence[int] | Ints) -> WordCounts:
        """Return the counts of the documents at these positions, in this order."""
        new = np.full(self.document_count, -1, np.int64)
        new[np.asarray(places, dtype=np.int64)] = np.arange(len(places))
        found = [part.start + np.flatnonzero(new[self.documents[part]] >= 0) for part in blocks(len(self.documents))]
        entries = np.concatenate([np.zeros(0, np.int64), *found])
        columns = np.searchsorted(self.starts, entries, "right") - 1
        return _ordered(self.words, columns, new[self.documents[entries]], self.times[entries], len(places))

    def without(self, places: Sequence[int]) -> WordCounts:
        """Return the counts with the documents at these positions emptied; positions do not change."""
        kept = np.ones(self.document_count, np.bool_)
        kept[np.asarray(places, dtype=np.int64)] = False
        left, positions = merged([self], [kept]), np.flatnonzero(kept).astype(np.int32)
        for part in blocks(len(left.documents)):
            left.documents[part] = positions[left.documents[part]]
        return replace(left, document_count=self.document_count)

    def save(self, path: Path, **more: NDArray[Any]) -> None:
        """Write an `.npz` file, with the caller's arrays `more`."""
        arrays: dict[str, Any] = {
            "words": pack_strings(self.words),
            "starts": self.starts,
            "documents": self.documents,
            "times": self.times,
            "lengths": self.lengths,
            "totals": self.totals,
            "document_count": np.int64(self.document_count),
        }
        save_arrays(path, **arrays, **more)

    @classmethod
    def load(cls, path: Path) -> tuple[WordCounts, dict[str, NDArray[Any]]]:
        """Map what `save` wrote: the counts and the caller's arrays; earlier versions used other integer types."""
        arrays = read_arrays(path, ("words", "starts", "documents", "times", "document_count"))
        for name, shape in (("starts", (-1,)), ("documents", (-1,)), ("times", (-1,)), ("document_count", ())):
            check_array(path, name, arrays[name], INTEGERS, shape)
        if arrays["documents"].dtype != np.int32:
            check_array(path, "documents", arrays["documents"], INTEGERS, (-1,), 0, MAX_DOCUMENT)
        words, starts = tuple(unpack_strings(arrays.pop("words"))), arrays.pop("starts").astype(np.int64, copy=False)
        documents, times = arrays.pop("documents").astype(np.int32, copy=False), arrays.pop("times")
        counts = cls(words, starts, documents, times, int(arrays.pop("document_count")))
        if not counts._fits():
            raise damaged_counts(path)
        for name, size in (("lengths", counts.document_count), ("totals", len(words))):
            if name in arrays:
                counts.__dict__[name] = known = arrays.pop(name)
                check_array(path, name, known, INTEGERS, (size,), least=0)
        return counts, arrays

    def checked(self) -> WordCounts:
        """Return the same counts after all their documents and times were checked, block by block."""
        if not is_within(self.documents, 0, self.document_count - 1) or not is_within(self.times, 1, None):
            raise damaged_counts()
        for part in blocks(len(self.documents)):
            documents = self.documents[part]
            falls = part.start + 1 + np.flatnonzero(documents[1:] <= documents[:-1])
            if np.any(self.starts[np.searchsorted(self.starts, falls)] != falls):  # only from one word to the next
                raise damaged_counts()
        return self

    def _fits(self) -> bool:
        """Return whether the arrays have the lengths that they say of each other."""
        starts = self.starts
        if starts.ndim != 1 or len(starts) != len(self.words) + 1 or self.document_count < 0:
            return False
        rises = bool(starts[0] == 0 and np.all(np.diff(starts) >= 0))
        return rises and self.documents.shape == self.times.shape == (int(starts[-1]),)


def damaged_counts(path: Path | None = None) -> InputError:
    """Return the error for arrays of words that do not fit together."""
    return InputError(
        "the arrays of words do not fit together",
        code=ErrorCode.INDEX_DAMAGED,
        file=path,
        remedy="build the index again",
    )


def count_together(rows: Iterable[Sequence[Sequence[str]]], kinds: int) -> list[WordCounts]:
    """Count the words of several texts of each document, in one pass over the documents."""
    tallies = (tuple(map(Counter, row)) for row in rows)
    parts: list[list[WordCounts]] = [[] for _ in range(kinds)]
    while block := list(islice(tallies, TEXTS_PER_BLOCK)):
        for kind, own in enumerate(parts):
            own.append(_counted([row[kind] for row in block]).moved())
    return [joined(own) for own in parts]


def joined(parts: Sequence[WordCounts]) -> WordCounts:
    """Return the counts of the documents of several parts, which are kept to read the documents in order."""
    return replace(merged(parts), parts=tuple(parts)) if len(parts) > 1 else merged(parts)


def merged(parts: Sequence[WordCounts], live: Sequence[Ints | None] | None = None) -> WordCounts:
    """Return the counts of all documents of several parts, one part after the other.

    `live` holds a mask per part, None for a part that keeps all its documents; the others are left out. Postings are
    copied to their place without sorting, a range of words after the other: within each part they are in order.
    """
    masks = [None] * len(parts) if live is None else live
    words = sorted(set().union(*(used_words(*pair) for pair in zip(parts, masks, strict=True))))
    numbers = {word: number for number, word in enumerate(words)}
    filled = np.zeros(len(words) + 1, np.int64)
    sources, offset = [], 0
    for part, mask in zip(parts, masks, strict=True):
        sources.append(one := MergeSource.of(part, mask, numbers, offset))
        np.add.at(filled, one.places, live_sizes(part, mask))
        offset += part.document_count if mask is None else int(np.count_nonzero(mask))
    starts = np.append(0, np.cumsum(filled[:-1]))
    largest = max((int(part.times.max(initial=0)) for part in parts), default=0)
    documents = new_array(int(starts[-1]), np.int32)
    times = new_array(len(documents), np.min_scalar_type(largest))
    after = starts.copy()
    whole = WordCounts(tuple(words), starts, documents, times, offset)
    for block in word_blocks(whole):
        for one in sources:
            one.copy(block, after, documents, times)
        release(documents)
        release(times)
    for one in sources:
        release(one.part.documents)
        release(one.part.times)
    return replace(whole, times=_smallest(times))


def _counted(counts: Sequence[Counter[str]]) -> WordCounts:
    """Return the counts of a block of texts."""
    numbers: dict[str, int] = {}
    total = sum(map(len, counts))
    columns = np.fromiter((numbers.setdefault(word, len(numbers)) for row in counts for word in row), np.int64, total)
    times = np.fromiter((times for row in counts for times in row.values()), np.int64, total)
    documents = np.repeat(np.arange(len(counts)), [len(row) for row in counts])
    return _ordered(list(numbers), columns, documents, times, len(counts))


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
        starts.astype(np.int64),
        documents[entries].astype(np.int32),
        _smallest(times[entries]),
        document_count,
    )


def _smallest(times: Ints) -> Ints:
    """Return counts in the smallest type that holds them, so that equal counts are equal bytes."""
    return times.astype(np.min_scalar_type(times.max(initial=0)), copy=False)
