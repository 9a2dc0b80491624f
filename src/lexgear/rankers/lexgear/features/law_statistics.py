"""Statistics of the cases at each place of the law, from which centroids are computed.

A case is a TF-IDF unit vector, divided evenly among the places of the law it belongs to. The statistics are sums of
these vectors as whole numbers, so that they can be added and subtracted exactly, in any order, however the documents
are divided into segments. This needs an idf that does not change with the documents: that of the training documents is
kept, as the directions of the concepts are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.place_sets import PlaceSets
from lexgear.lexical.array_checks import FLOATS, INTEGERS, check_array, damaged_array
from lexgear.lexical.array_files import pack_strings, read_arrays, save_arrays, unpack_strings
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.merging import word_blocks
from lexgear.lexical.tf_idf import MAX_IDF, log_tf, smoothed_idf

Whole = NDArray[np.int64]
UNIT = 1 << 24
"""Whole number that stands for 1."""
MAX_CELLS = 1 << 23
"""Sums of words by places that are computed at once."""


@dataclass(frozen=True, eq=False)
class LawIdf:
    """The idf of words in the facts of the training documents and in the texts of the law."""

    words: tuple[str, ...]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, *parts: WordCounts) -> LawIdf:
        """Return the idf of all words of some texts."""
        words = tuple(sorted(set().union(*(part.words for part in parts))))
        numbers, df = {word: number for number, word in enumerate(words)}, np.zeros(len(words), np.int64)
        for part in parts:
            df[[numbers[word] for word in part.words]] += np.diff(part.starts)
        return cls(words, smoothed_idf(df, sum(part.document_count for part in parts)))

    @cached_property
    def rarest(self) -> float:
        """The highest idf; words that training did not see have it too."""
        return float(self.values.max(initial=0))

    def of_words(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the idf of each word."""
        if words is self.words:
            return self.values
        numbers = np.fromiter(map(self._numbers.get, words, repeat(len(self.words))), np.int64, len(words))
        return np.append(self.values, self.rarest)[numbers]

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def save(self, path: Path) -> None:
        """Write plain arrays."""
        save_arrays(path, words=pack_strings(self.words), idf=self.values)

    @classmethod
    def load(cls, path: Path) -> LawIdf:
        """Read what `save` wrote."""
        arrays = read_arrays(path, ("words", "idf"))
        words = tuple(unpack_strings(arrays["words"]))
        check_array(path, "idf", arrays["idf"], FLOATS, (len(words),), 0, MAX_IDF)
        return cls(words, arrays["idf"])


@dataclass(frozen=True, eq=False)
class LawStatistics:
    """Sums of the vectors of cases by word and place, the number of cases per place and the df of each word."""

    words: tuple[str, ...]
    places: tuple[str, ...]
    df: Whole
    cells: Whole
    """Word and place of each sum, as word · number of places + place; in order."""
    sums: Whole
    cases: Whole
    """Number of cases per place, in units of `UNIT`."""

    @classmethod
    def of(cls, counts: WordCounts, places: PlaceSets, idf: LawIdf, weight: float = 1.0) -> LawStatistics:
        """Sum the cases at each place; each counts as `weight` cases. Documents without words are ignored."""
        names = sorted({place for places in places.sets for place in places})
        numbers = {name: number for number, name in enumerate(names)}
        members = [np.array([numbers[place] for place in one], dtype=np.int64) for one in places.sets]
        shares = np.array([1 / len(one) for one in members])[places.of_document] if members else np.zeros(0)
        values = idf.of_words(counts.words)
        scale = UNIT * shares * _over_lengths(counts, values)
        cells, sums = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for words in word_blocks(counts, max(MAX_CELLS // max(len(members), 1), 1)):
            starts = counts.starts[words.start : words.stop + 1]
            span = slice(int(starts[0]), int(starts[-1]))
            owners, columns = counts.documents[span], np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            whole = np.rint(log_tf(counts.times[span]) * values[words][columns] * scale[owners])
            by_set = _added(columns * len(members) + places.of_document[owners], whole)
            found, total = _spread(by_set, members, len(names))
            cells.append(found + words.start * len(names))
            sums.append(total)
        has_words = counts.lengths > 0
        filled = np.bincount(places.of_document[has_words], minlength=len(members))
        cases = np.zeros(len(names), np.int64)
        for own, count in zip(members, filled.tolist(), strict=True):
            cases[own] += count * round(UNIT * weight / len(own))
        return cls(
            counts.words, tuple(names), np.diff(counts.starts), np.concatenate(cells), np.concatenate(sums), cases
        )

    @classmethod
    def combined(cls, parts: Sequence[tuple[int, LawStatistics]]) -> LawStatistics:
        """Return the sum of statistics, each with a factor: −1 for documents that were removed."""
        _, first = parts[0]
        words = {word: number for number, word in enumerate(first.words)}
        names = sorted({place for _, part in parts for place in part.places})
        numbers = {name: number for number, name in enumerate(names)}
        for _, part in parts[1:]:
            for word in part.words:
                words.setdefault(word, len(words))
        df, cases = np.zeros(len(words), np.int64), np.zeros(len(names), np.int64)
        cells, sums = np.zeros(0, np.int64), np.zeros(0, np.int64)
        for factor, part in parts:
            columns = np.array([words[word] for word in part.words], dtype=np.int64)
            rows = np.array([numbers[place] for place in part.places], dtype=np.int64)
            df[columns] += factor * part.df
            cases[rows] += factor * part.cases
            own = columns[part.cells // max(len(rows), 1)] * len(names)
            own += rows[part.cells % max(len(rows), 1)]
            cells, sums = _merged(cells, sums, own, factor * part.sums)
        return cls(tuple(words), tuple(names), df, cells, sums, cases)

    def save(self, path: Path) -> None:
        """Write plain arrays."""
        texts = {"words": pack_strings(self.words), "places": pack_strings(self.places)}
        empty = np.array(self.places == ("",))  # one empty name and no name are packed alike
        save_arrays(path, **texts, empty=empty, df=self.df, cells=self.cells, sums=self.sums, cases=self.cases)

    @classmethod
    def load(cls, path: Path) -> LawStatistics:
        """Map what `save` wrote."""
        arrays = read_arrays(path, ("words", "places", "empty", "df", "cells", "sums", "cases"))
        places = ("",) if arrays["empty"] else tuple(unpack_strings(arrays["places"]))
        words = tuple(unpack_strings(arrays["words"]))
        own = [arrays[name] for name in ("df", "cells", "sums", "cases")]
        found = cls(words, places, *own)
        check_array(path, "empty", arrays["empty"], "b", ())
        check_array(path, "df", found.df, INTEGERS, (len(words),), 0)
        check_array(path, "cells", found.cells, INTEGERS, (-1,), 0, len(words) * len(places) - 1)
        check_array(path, "sums", found.sums, INTEGERS, found.cells.shape, 0)
        check_array(path, "cases", found.cases, INTEGERS, (len(places),), 0)
        if np.any(found.cells[1:] <= found.cells[:-1]):
            raise damaged_array(path, "the sums of words are not in order")
        return found


def lengths_of(rows: NDArray[np.int64], sums: Whole, count: int) -> NDArray[np.float64]:
    """Return the length of each row of sums, computed exactly.

    Squares do not fit into 64 bits: they are taken of halves, whose sums do.
    """
    high, low = sums >> 22, sums & ((1 << 22) - 1)
    squares = [np.zeros(count, np.uint64) for _ in range(3)]
    for total, factors in zip(squares, ((high, high), (high, low), (low, low)), strict=True):
        np.add.at(total, rows, (factors[0] * factors[1]).astype(np.uint64))
    exact = [(int(a) << 44) + (int(b) << 23) + int(c) for a, b, c in zip(*squares, strict=True)]
    return np.asarray(np.sqrt(np.array([float(one) for one in exact])))


def _over_lengths(counts: WordCounts, idf: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the inverse length of the TF-IDF vector of each document; 0 for one without words."""
    squares = np.zeros(counts.document_count)
    for words in word_blocks(counts):
        starts = counts.starts[words.start : words.stop + 1]
        span = slice(int(starts[0]), int(starts[-1]))
        values = log_tf(counts.times[span]) * np.repeat(idf[words], np.diff(starts))
        np.add.at(squares, counts.documents[span], values * values)
    lengths = np.sqrt(squares)
    return np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)


def _added(cells: Whole, whole: NDArray[np.float64]) -> tuple[Whole, Whole]:
    """Return the distinct cells in order with the sums of their values, which are exact below 2⁵³."""
    if not len(cells):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    found = np.flatnonzero(np.bincount(cells))
    sums = np.bincount(cells, whole)[found]
    return found, sums.astype(np.int64)


def _spread(by_set: tuple[Whole, Whole], members: Sequence[Whole], count: int) -> tuple[Whole, Whole]:
    """Return sums by word and place, given those by word and set of places."""
    cells, sums = by_set
    if not len(cells):
        return by_set
    sizes = np.array([len(one) for one in members])
    starts, flat = np.append(0, np.cumsum(sizes)), np.concatenate(members)
    column, own = np.divmod(cells, len(members))
    owner = np.repeat(np.arange(len(cells)), sizes[own])
    within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes[own]) - sizes[own], sizes[own])
    place = flat[starts[own[owner]] + within]
    return _added(column[owner] * count + place, sums[owner].astype(np.float64))


def _merged(cells: Whole, sums: Whole, more: Whole, added: Whole) -> tuple[Whole, Whole]:
    """Return two tables of sums as one, in order of their cells."""
    order = np.argsort(more, kind="stable")
    more, added = more[order], added[order]
    if not len(cells):
        return more, added
    at = np.searchsorted(cells, more)
    there = cells[np.minimum(at, len(cells) - 1)] == more
    sums = sums.copy()
    sums[at[there]] += added[there]
    return np.insert(cells, at[~there], more[~there]), np.insert(sums, at[~there], added[~there])


Facts = Callable[[], WordCounts]
"""Function that reads word counts of facts, which searches do not need."""
