"""Matching of similar sentences of two texts, by common words weighted by rarity."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.lexical.words import segmenter
from lexgear.privacy.masking import Masked
from lexgear.rationale.sentences import sentence_ends

MIN_COSINE = 0.15
"""Cosine from which two sentences count as similar."""
MIN_COMMON_WORDS = 2
"""Words that they must have in common; one may be a coincidence."""
MAX_PAIRS = 20
"""Maximum number of pairs."""
MAX_SENTENCES = 2000
"""Maximum number of sentences per side; a judgment of 100,000 characters has fewer."""
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Sentence with its place in its section and its words."""

    section: str
    start: int
    end: int
    text: str
    words: Mapping[str, str]
    """Normalised word → word as it occurs in the text."""


Pair = tuple[Sentence, Sentence, float, list[str]]
"""Two sentences, their cosine and their common words, rarest first."""


def sentences_of(sections: Mapping[str, str], neutral: Mapping[str, Masked], language: str) -> list[Sentence]:
    """Return the sentences of all sections that contain words, without surrounding space.

    Words are those of the neutral sections, so that no sentences match by the names of persons.
    """
    return list(islice(_sentences(sections, neutral, language), MAX_SENTENCES))


def words_of(text: str, language: str) -> dict[str, str]:
    """Return the normalised words of a text, each with its first occurrence. French words are normalised to stems."""
    if language != "fr":
        return {word: word for word in segmenter(language)(text)}
    words: dict[str, str] = {}
    for spoken in _WORD.findall(text):
        for stem in segmenter("fr")(spoken):
            words.setdefault(stem, spoken.lower())
    return words


def best_pairs(left: Sequence[Sentence], right: Sequence[Sentence], rarity: Callable[[str], float]) -> Iterator[Pair]:
    """Yield pairs of sentences with cosine and common words, most similar first; no sentence is in two pairs."""
    cosines, common = _cosines(left, right, rarity)
    rows, columns = np.nonzero((cosines >= MIN_COSINE) & (common >= MIN_COMMON_WORDS))
    order = np.lexsort((columns, rows, -cosines[rows, columns]))
    taken_left: set[int] = set()
    taken_right: set[int] = set()
    for at in order.tolist():
        one, other = int(rows[at]), int(columns[at])
        if one in taken_left or other in taken_right:
            continue
        taken_left.add(one)
        taken_right.add(other)
        shared = left[one].words.keys() & right[other].words.keys()
        telling = sorted(shared, key=lambda word: (-rarity(word), word))
        alike = min(float(cosines[one, other]), 1.0)
        yield left[one], right[other], alike, [left[one].words[word] for word in telling]
        if len(taken_left) == MAX_PAIRS:
            return


def _sentences(sections: Mapping[str, str], neutral: Mapping[str, Masked], language: str) -> Iterator[Sentence]:
    for section, text in sections.items():
        for start, end in pairwise([0, *sentence_ends(text, language).tolist()]):
            whole = text[start:end]
            if words := words_of(neutral[section].quote(start, end)[0], language):
                first = start + len(whole) - len(whole.lstrip())
                kept = whole.strip()
                yield Sentence(section, first, first + len(kept), kept, words)


def _cosines(
    left: Sequence[Sentence], right: Sequence[Sentence], rarity: Callable[[str], float]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the cosines and the numbers of common words as (left, right) matrices.

    A sentence is the vector of the rarities of its words. Common words are counted here: a set for each of four million
    pairs of short sentences took 20 seconds.
    """
    from scipy.sparse import csr_array

    numbers: dict[str, int] = {}
    for sentence in (*left, *right):
        for word in sorted(sentence.words):  # the order of a sum affects its last digits
            numbers.setdefault(word, len(numbers))
    weights = np.array([rarity(word) for word in numbers])

    def rows(sentences: Sequence[Sentence]) -> Any:
        columns = [numbers[word] for sentence in sentences for word in sorted(sentence.words)]
        lengths = [len(sentence.words) for sentence in sentences]
        owners = np.repeat(np.arange(len(sentences)), lengths)
        values = weights[columns] if columns else np.empty(0)
        norms = np.sqrt(np.bincount(owners, values * values, minlength=len(sentences)))
        values = values / np.maximum(norms[owners], 1e-9) if columns else values
        return csr_array((values, (owners, columns)), shape=(len(sentences), max(len(numbers), 1)))

    sides = [rows(left), rows(right)]
    ones = [csr_array((np.ones(len(one.data), np.int32), one.indices, one.indptr), shape=one.shape) for one in sides]
    return (sides[0] @ sides[1].T).toarray(), (ones[0] @ ones[1].T).toarray()
