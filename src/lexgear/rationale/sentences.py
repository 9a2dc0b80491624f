"""Sentence splitting for Chinese and French, in time linear in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from lexgear.rationale.tokens import SEPARATOR, character_codes

MAX_CHARACTERS = 500
"""Characters per sentence at most. Longer runs without a full stop (lists, broken scans) are split at a comma or
anywhere, because a model that reads 512 tokens could not take them in."""

_ENDS_ALONE, _CLOSES, _FULL_STOP = 1, 2, 3
_CHINESE_FULL_STOPS, _CHINESE_CLOSING = "。！？；!?;\n", "”’」』》）)"
# Possessive and independent of what follows, so that no character is read twice.
_FRENCH_END = re.compile(r"\0|[.!?…\n][.!?…\s»”\")\]]*+")
_SHORT = "al art arts av bd bull cass cf ch chap dr éd etc fig litt me mgr mm mme mlle no nos op par pp réf st"
_FRENCH_SHORT = frozenset(_SHORT.split())
_NOT_IN_WORDS = re.compile(r"[\W_]")
_COMMAS = "，,、：: "


def sentence_ends(text: str, language: str) -> NDArray[np.int64]:
    """Return the ends of the sentences; the concatenated sentences are the text.

    >>> sentence_ends("甲盗窃手机。销赃后挥霍！", "zh").tolist()
    [6, 12]
    """
    ends = np.fromiter(_french_ends(text), np.int64) if language == "fr" else _chinese_ends(text)
    if text and (not len(ends) or ends[-1] < len(text)):
        ends = np.append(ends, len(text))
    starts = np.concatenate((ends[:1] * 0, ends[:-1]))
    long = (ends - starts > MAX_CHARACTERS).nonzero()[0].tolist()
    if not long:
        return ends
    cuts = [place for at in long for place in _cuts(text, int(starts[at]), int(ends[at]))]
    return np.sort(np.append(ends, cuts))


def _chinese_ends(text: str) -> NDArray[np.int64]:
    """Return the ends of runs of full stops, closing quotes and spaces with a full stop, and of separators."""
    classes = _character_classes()[character_codes(text + SEPARATOR)]
    closes = classes >= _CLOSES
    runs = (closes[:-1] & ~closes[1:]).nonzero()[0] + 1
    full_stops = (classes == _FULL_STOP).cumsum()[runs - 1]
    has_one = np.concatenate((full_stops[:1] > 0, full_stops[1:] > full_stops[:-1]))
    alone = (classes[:-1] == _ENDS_ALONE).nonzero()[0] + 1
    return np.sort(np.concatenate((runs[has_one], alone)))


@cache
def _character_classes() -> NDArray[np.uint8]:
    """Return the class of every Unicode character; 0 for ordinary ones."""
    classes = np.zeros(0x110000, np.uint8)
    classes[[code for code in range(0x3001) if chr(code).isspace()]] = _CLOSES
    classes[[ord(sign) for sign in _CHINESE_CLOSING]] = _CLOSES
    classes[[ord(sign) for sign in _CHINESE_FULL_STOPS]] = _FULL_STOP
    classes[ord(SEPARATOR)] = _ENDS_ALONE
    return classes


def _french_ends(text: str) -> Iterator[int]:
    for match in _FRENCH_END.finditer(text):
        marks, end = match.group(), match.end()
        goes_on = end < len(text) and (not marks[-1].isspace() or text[end].islower())
        is_short = marks[0] == "." and _is_short(text, match.start())
        if marks == SEPARATOR or "\n" in marks or not (goes_on or is_short):
            yield end


def _is_short(text: str, stop: int) -> bool:
    """Return whether the full stop at `stop` ends an abbreviation (art., M.) instead of a sentence."""
    word = _NOT_IN_WORDS.split(text[max(0, stop - 10) : stop])[-1]
    return (len(word) == 1 and word.isalpha()) or word.lower() in _FRENCH_SHORT


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    while end - start > MAX_CHARACTERS:
        comma = max(text.rfind(sign, start + MAX_CHARACTERS // 2, start + MAX_CHARACTERS) for sign in _COMMAS)
        start = comma + 1 if comma >= 0 else start + MAX_CHARACTERS
        yield start
