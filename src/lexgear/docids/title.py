"""Term IDs, as Ultron builds them from titles: the most distinctive words of a document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from lexgear.docids.ids import DocIds
from lexgear.docids.quantized import number_duplicates
from lexgear.docids.trie import Trie
from lexgear.errors import ErrorCode, InputError
from lexgear.lexical.tf_idf import plain_idf
from lexgear.lexical.words import Segmenter, segmenter

_LETTERS = re.compile(r"[^\W\d_]+")


def rank_terms(titles: Sequence[str], texts: Sequence[str], language: str) -> list[list[str]]:
    """Return the words of each document by TF-IDF, those of its title before those of its text.

    Uninformative words come last: those of more than half of the documents, and those of a single document, which no
    query could share.

    >>> rank_terms(["Bail commercial", "Bail rural"] * 2, ["le loyer", "la vache"] * 2, "fr")[1]
    ['rural', 'vache', 'bail']
    """
    cut = _terms_of(language)
    heads = [set(cut(title)) for title in titles]
    counts = [Counter(cut(f"{title}\n{text}")) for title, text in zip(titles, texts, strict=True)]
    holders = Counter(word for row in counts for word in row)
    rarity = {word: float(plain_idf(times, len(counts))) for word, times in holders.items()}

    def place(head: set[str], row: Counter[str], word: str) -> tuple[int, float, str]:
        distinctive = 2 <= holders[word] <= len(counts) / 2
        return (2 if not distinctive else 0 if word in head else 1, -row[word] * rarity[word], word)

    return [sorted(row, key=partial(place, head, row)) for head, row in zip(heads, counts, strict=True)]


def term_ids(ranked: Sequence[Sequence[str]], terms: int, *, ids: Sequence[str] = ()) -> DocIds:
    """Return the first words of each document as its ID; equal IDs are extended by more words, finally by a number.

    >>> ids = term_ids([["bail", "rural"], ["bail"], ["vol"], ["vol"]], terms=1)
    >>> [ids.format_id(ids.trie.leaves_of(position)[0]) for position in range(4)]
    ['0-bail-rural', '0-bail-0', '0-vol-0', '0-vol-1']
    """
    if terms < 1:
        raise InputError("term IDs need at least one term", code=ErrorCode.INVALID_ARGUMENT)
    if ids and len(ids) != len(ranked):
        raise InputError(f"{len(ids)} document ids for {len(ranked)} documents", code=ErrorCode.INVALID_ARGUMENT)
    paths = _extend_equal(ranked, terms)
    numbers = number_duplicates(paths)
    words = sorted({word for path in paths for word in path})
    symbol = {word: number for number, word in enumerate(words)}
    ties = max(numbers, default=-1) + 1
    table = np.full((len(paths), max(map(len, paths), default=0) + 1), -1)
    for row, (path, number) in enumerate(zip(paths, numbers, strict=True)):
        steps = [symbol[word] for word in path] + [len(words) + number] * (number >= 0)
        table[row, : len(steps)] = steps
    return DocIds(
        trie=Trie.build(table, np.arange(len(paths))),
        names=(*words, *map(str, range(ties)), *(ids or map(str, range(len(paths))))),
        law_symbols=len(words) + ties,
        kinds=(*("term",) * len(words), *("number",) * ties),
    )


def _extend_equal(ranked: Sequence[Sequence[str]], terms: int) -> list[tuple[str, ...]]:
    """Return the first terms of each document; equal ones get one more term at a time, at most twice as many in all."""
    paths = [tuple(row[:terms]) for row in ranked]
    for length in range(terms + 1, 2 * terms + 1):
        times = Counter(paths)
        paths = [tuple(row[:length]) if times[path] > 1 else path for path, row in zip(paths, ranked, strict=True)]
    return paths


def _terms_of(language: str) -> Segmenter:
    """Return a segmenter to written words, without digits, function words and redacted names (某)."""
    cut = segmenter(language)
    if language == "zh":
        return lambda text: [word for word in cut(text) if word.isalpha() and "某" not in word]
    # The segmenter of French search returns stems, which are not readable.
    counts = cache(lambda word: len(word) > 1 and bool(cut(word)))
    return lambda text: [word for word in _LETTERS.findall(text.lower()) if counts(word)]
