"""Word counts in immutable segments, and scores of their documents from statistics of all live documents.

The score of a document depends on its own counts and on `WordStatistics` alone. These are sums of integers, so neither
the number of segments nor the order of additions and removals changes a score: segments on other machines may be summed
and scored in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.counts import WordCounts, damaged_counts
from lexgear.lexical.tf_idf import bm25_idf

Floats = NDArray[np.float32]
MAX_AT_ONCE = 1 << 20
"""Postings that are added in one call, a seventh faster than word by word; more would not fit into caches."""
MAX_CACHED_POSTINGS = 1 << 27
"""Postings of a segment whose weights are kept (512 MB): frequent words come in nearly every query."""


@dataclass(frozen=True)
class WordStatistics:
    """Statistics of some words over live documents; those of disjoint documents can be added."""

    words: tuple[str, ...]
    documents: int
    length: int
    """Number of words of all documents, with repetitions."""
    df: NDArray[np.int64]
    """Number of documents that contain each word."""
    times: NDArray[np.int64]
    """Number of occurrences of each word."""

    @classmethod
    def of(cls, counts: WordCounts, words: Sequence[str]) -> WordStatistics:
        """Count some words in all documents of a segment."""
        numbers = np.array([counts.numbers.get(word, -1) for word in words], dtype=np.int64)
        known, df, times = numbers >= 0, np.zeros(len(words), np.int64), np.zeros(len(words), np.int64)
        df[known] = counts.starts[numbers[known] + 1] - counts.starts[numbers[known]]
        times[known] = counts.totals[numbers[known]]
        return cls(tuple(words), counts.document_count, int(counts.totals.sum()), df, times)

    def __add__(self, other: WordStatistics) -> WordStatistics:
        return self._combined(other, 1)

    def __sub__(self, other: WordStatistics) -> WordStatistics:
        return self._combined(other, -1)

    def _combined(self, other: WordStatistics, sign: int) -> WordStatistics:
        if self.words != other.words:
            raise ValueError("statistics of different words")
        return WordStatistics(
            self.words,
            self.documents + sign * other.documents,
            self.length + sign * other.length,
            self.df + sign * other.df,
            self.times + sign * other.times,
        )

    @property
    def mean_length(self) -> float:
        """Mean number of words per document; never 0."""
        return max(self.length / max(self.documents, 1), 1e-9)


Postings = slice | NDArray[np.int64]
Weigh = Callable[[WordCounts, Postings, WordStatistics, int], Floats]
"""Function from counts, postings of one word, statistics and the word's place in these to the postings' weights."""


@dataclass(frozen=True, eq=False)
class CountedSegment:
    """Counts of documents that are never changed, and the documents that were removed since."""

    counts: WordCounts
    removed: NDArray[np.int64]
    """Positions of removed documents, in order."""
    removed_counts: WordCounts
    """Counts of the removed documents."""
    _weights: dict[int, Floats] = field(default_factory=dict)
    _cached: list[int] = field(default_factory=lambda: [0])
    """Number of postings whose weights are kept."""
    _checked: set[int] = field(default_factory=set)
    """Words whose documents were checked."""

    @classmethod
    def of(cls, counts: WordCounts) -> CountedSegment:
        """Return a segment without removed documents."""
        return cls(counts, np.zeros(0, np.int64), WordCounts.of([]))

    def statistics(self, words: Sequence[str]) -> WordStatistics:
        """Return the statistics of some words over the live documents."""
        whole = WordStatistics.of(self.counts, words)
        return whole - WordStatistics.of(self.removed_counts, words) if len(self.removed) else whole

    def without(self, positions: NDArray[np.int64]) -> CountedSegment:
        """Return the segment without further documents."""
        removed = np.union1d(self.removed, positions)
        return CountedSegment(self.counts, removed, self.counts.rows(removed))

    @property
    def live(self) -> NDArray[np.bool_]:
        """Mask of the documents that were not removed."""
        mask = np.ones(self.counts.document_count, np.bool_)
        mask[self.removed] = False
        return mask

    def add_scores(
        self, sums: Floats, query: Mapping[str, int], statistics: WordStatistics, weigh: Weigh, *, cached: bool
    ) -> None:
        """Add the weights of the query's words to the sum of each document, word by word."""
        places, numbers = {word: place for place, word in enumerate(statistics.words)}, self.counts.numbers
        found: list[tuple[NDArray[np.int32], Floats]] = []
        for word, times in query.items():
            if (number := numbers.get(word)) is not None and statistics.df[places[word]]:
                documents = self.documents(number)
                weights = self.weights(number, statistics, places[word], weigh, cached=cached)
                found.append((documents, weights if times == 1 else weights * np.float32(times)))
        if 0 < sum(len(weights) for _, weights in found) <= MAX_AT_ONCE:
            found = [(np.concatenate([one for one, _ in found]), np.concatenate([one for _, one in found]))]
        for documents, weights in found:
            np.add.at(sums, documents, weights)

    def documents(self, number: int) -> NDArray[np.int32]:
        """Return the documents of a word, by its number; they are checked when they are first used."""
        found: NDArray[np.int32] = self.counts.documents[self.counts.postings(number)]
        if number not in self._checked:
            if len(found) and (
                found[0] < 0
                or found[-1] >= self.counts.document_count
                or np.any(found[1:] <= found[:-1])
                or self.counts.times[self.counts.postings(number)].min() < 1
            ):
                raise damaged_counts()
            self._checked.add(number)
        return found

    def weights(
        self, number: int, statistics: WordStatistics, place: int, weigh: Weigh, *, cached: bool = False
    ) -> Floats:
        """Return the weights of the postings of a word, by its number; `cached` ones are valid for one statistics."""
        found = self._weights.get(number) if cached else None
        if found is None:
            span = self.counts.postings(number)
            found = weigh(self.counts, span, statistics, place)
            if cached and self._cached[0] + len(found) <= MAX_CACHED_POSTINGS:
                self._weights[number] = found
                self._cached[0] += len(found)
        return found


class WordIndex:
    """Segments of word counts with one way to weigh a word in a document."""

    def __init__(self, segments: Sequence[CountedSegment], weigh: Weigh) -> None:
        self.segments = [CountedSegment(one.counts, one.removed, one.removed_counts) for one in segments]
        self.weigh = weigh
        self.offsets = np.cumsum([0, *(one.counts.document_count for one in segments)])
        """Position of the first document of each segment, and their number with removed documents."""

    @property
    def empty(self) -> bool:
        """True if no live document has a word."""
        return self.statistics(()).length == 0

    def statistics(self, words: Sequence[str]) -> WordStatistics:
        """Return the statistics of some words over all live documents."""
        first, *others = [one.statistics(words) for one in self.segments]
        return sum(others, first)

    def known(self, words: Sequence[str]) -> list[str]:
        """Return the words that occur in some live document, with repetitions."""
        distinct = tuple(dict.fromkeys(words))
        df = dict(zip(distinct, self.statistics(distinct).df.tolist(), strict=True))
        return [word for word in words if df[word]]

    def idf(self, word: str) -> float:
        """Return the BM25 idf of a word; highest for a word of no document."""
        found = self.statistics((word,))
        return bm25_idf(int(found.df[0]), found.documents)

    def sums(self, words: Iterable[str], statistics: WordStatistics | None = None) -> Floats:
        """Return the sum of the weights of words per document; a repeated word counts again.

        With `statistics` of more documents than these, scores are as in an index of all of them. Removed documents have
        meaningless scores.
        """
        query = Counter(words)
        given = self.statistics(tuple(query)) if statistics is None else statistics
        sums = np.zeros(int(self.offsets[-1]), dtype=np.float32)
        for segment, start, end in zip(self.segments, self.offsets[:-1], self.offsets[1:], strict=True):
            segment.add_scores(sums[start:end], query, given, self.weigh, cached=statistics is None)
        return sums

    def shared(self, words: Iterable[str], documents: Iterable[int], limit: int) -> list[tuple[tuple[str, float], ...]]:
        """Return for each document (by position) the words that add most to its score, at most `limit`."""
        query, positions = Counter(words), np.fromiter(documents, np.int64)
        statistics = self.statistics(tuple(query))
        numbers = np.searchsorted(self.offsets, positions, "right") - 1
        found: list[list[tuple[str, float]]] = [[] for _ in positions]
        for number in np.unique(numbers).tolist():
            places = np.flatnonzero(numbers == number)
            own = positions[places] - self.offsets[number]
            for word, place, weight in self._weights_in(self.segments[number], query, statistics, own):
                found[places[place]].append((word, weight))
        return [tuple(sorted(one, key=lambda pair: -pair[1])[:limit]) for one in found]

    def _weights_in(
        self,
        segment: CountedSegment,
        query: Mapping[str, int],
        statistics: WordStatistics,
        positions: NDArray[np.int64],
    ) -> Iterator[tuple[str, int, float]]:
        """Yield each word that a document of a segment has, the place of the document in the list, and the weight."""
        counts = segment.counts
        for at, (word, times) in enumerate(query.items()):
            if (number := counts.numbers.get(word)) is not None:
                span = counts.postings(number)
                entries = span.start + np.searchsorted(segment.documents(number), positions)
                has = entries < span.stop
                has[has] = counts.documents[entries[has]] == positions[has]
                weights = self.weigh(counts, entries[has], statistics, at) * np.float64(times)
                for place, weight in zip(np.flatnonzero(has).tolist(), weights.tolist(), strict=True):
                    yield word, place, weight


def bm25_weights(k1: float, b: float) -> Weigh:
    """Return the BM25 weight of a word in a document (Lucene's variant, as in bm25s)."""

    def weigh(counts: WordCounts, span: Postings, statistics: WordStatistics, place: int) -> Floats:
        idf = bm25_idf(statistics.df[place : place + 1], statistics.documents)
        times, lengths = counts.times[span], counts.lengths[counts.documents[span]]
        saturation = k1 * (1 - b + b * lengths / statistics.mean_length)
        return _narrow(idf * (times / (times + saturation)))

    return weigh


def dirichlet_weights(mu: float) -> Weigh:
    """Return the weight of a word in query likelihood with Dirichlet smoothing: log(1 + tf / (μ · P(word)))."""

    def weigh(counts: WordCounts, span: Postings, statistics: WordStatistics, place: int) -> Floats:
        share = statistics.times[place] / max(statistics.length, 1)
        return _narrow(np.log1p(counts.times[span] / (mu * share)))

    return weigh


def _narrow(weights: NDArray[Any]) -> Floats:
    return weights.astype(np.float32)
