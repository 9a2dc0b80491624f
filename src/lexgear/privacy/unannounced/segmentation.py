"""Segmentation of the few characters around a possible name."""

from __future__ import annotations

import re
from functools import lru_cache

from lexgear.privacy.name_matching import encodable
from lexgear.privacy.surnames import HAN

WINDOW = 6
"""Number of characters before and after a possible name that the segmenter reads."""
_NOT_HAN = re.compile(f"[^{HAN[1:-1]}]")
_WORDS_BEFORE_TITLES = frozenset("ntfsvpcruda")


def before(text: str, start: int) -> str:
    """Return the ideographs before a place, back to the last other sign."""
    return _NOT_HAN.split(text[max(start - WINDOW, 0) : start])[-1]


def after(text: str, end: int) -> str:
    """Return the ideographs after a place, up to the next other sign."""
    return _NOT_HAN.split(text[end : end + WINDOW])[0]


def words_by_place(piece: str) -> dict[int, tuple[str, str]]:
    """Return the words of a piece of text with their parts of speech, by the place where they begin."""
    import rjieba

    words, place = {}, 0
    for word, tag in rjieba.tag(encodable(piece), False):
        words[place] = (word, tag)
        place += len(word)
    return words


def begins_word(text: str, start: int, end: int) -> bool:
    """Return whether the characters from `start` to `end` are a word of their own for the segmenter."""
    return _is_word(before(text, start), text[start:end], after(text, end))


@lru_cache(20_000)
def _is_word(before: str, word: str, after: str) -> bool:
    words = words_by_place(before + word + after)
    own = words.get(len(before), ("", ""))
    previous = next((tag for place, (other, tag) in words.items() if place + len(other) == len(before)), "n")
    return previous[:1] in _WORDS_BEFORE_TITLES and (own[0] == word or own[1].startswith("nr"))
