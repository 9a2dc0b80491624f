"""Recognition of names that nothing announces: 李建国拿刀闯进我家.

A candidate is a surname with one or two characters of given names, or a given name alone. Its evidence is the sum of
the log odds of its characters in names and of weights for the parts of speech of the words around it. Which surname it
is does not matter, unless the surname is part of another word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from lexgear.privacy.name_matching import Mention
from lexgear.privacy.surnames import COMPOUND_SURNAMES, HAN, MOSTLY_NAMES, OFTEN_WORDS, SINGLE_SURNAMES, SURNAME
from lexgear.privacy.unannounced.given_names import FIRST_GIVEN, LAST_GIVEN
from lexgear.privacy.unannounced.name_like_words import NAME_LIKE_WORDS
from lexgear.privacy.unannounced.segmentation import after, before, words_by_place

_FIRST, _LAST = (f"[{''.join(sorted(odds))}]" for odds in (FIRST_GIVEN, LAST_GIVEN))
_FULL = re.compile(rf"({SURNAME}|[小阿])(?:{_FIRST}{_LAST}|{_LAST})")
_BEGINS_FULL = re.compile(
    f"[{''.join(sorted({name[0] for name in COMPOUND_SURNAMES} | SINGLE_SURNAMES))}小阿]"
    f"(?=[{''.join(sorted(FIRST_GIVEN.keys() | LAST_GIVEN.keys() | {name[1] for name in COMPOUND_SURNAMES}))}])"
)
"""Beginnings of `_FULL`, which are found in a fifth of the time."""
_ONE_HAN = re.compile(HAN)
_WHOLE = re.compile(rf"{SURNAME}({_FIRST}{_LAST})")
_GIVEN = re.compile(rf"(?:(?<!{HAN})|(?<=[后我]))({_FIRST})({_LAST})")
_NO_PERSON = re.compile("[某×＊*市县区镇乡村路街河]|[支分]行")
"""Signs and words after what is part of a masked name, or the name of a place."""
_PARTICLES = OFTEN_WORDS | frozenset("应任查到")
"""Surnames that are mostly words of their own: 从广州, 和卫生."""
_TITLE = "师傅"
"""Title whose characters occur in given names."""
_STAND_IN = "廖"
"""Surname that begins few words of the segmenter's dictionary: candidates are segmented with it as with their own."""

_LEAST = {1: 5.0, 2: 4.0}
"""Least evidence for a surname with a given name of one or two characters: many words have two characters."""
_LEAST_ALONE = 9.0
"""Least evidence for a given name alone."""
_BEFORE_NAMES = {"p": 1.0, "c": 1.0, "v": 1.0, "u": 1.0, "r": 1.0, "d": 1.0, "y": 1.0, "t": 0.5, "n": 0.5, "f": 0.5}
"""Evidence by the part of speech of the word before."""
_AFTER_NAMES = frozenset("vpdcury")
"""Parts of speech of words after a name."""
_PLACES = 6
"""Number of places in which the same characters are tried."""
_CLEAR, _WORD_AS_GIVEN, _PARTICLE, _UNLIKELY, _IN_WORD = 1.5, -1.0, -2.0, -2.0, -4.0
_BETWEEN_WORDS = 2.0
"""Least evidence of the words around a given name that is a word too."""
_KIND = {"阿": 2.0, "小": 0.0}
"""Evidence for a familiar form instead of a surname."""
_COMPOUND = 3.0
"""Evidence for a compound surname."""


class _Candidate(NamedTuple):
    evidence: float
    """Evidence above the least."""
    start: int
    end: int


def find_unannounced(text: str, known: Iterable[Mention] = ()) -> Iterator[str]:
    """Yield the names that nothing announces; `known` are mentions of other names.

    >>> sorted(find_unannounced("昨天李建国拿刀闯进我家，向东升在门口望风。"))
    ['向东升', '李建国']
    """
    taken = {place for start, end in known for place in range(start, end)}
    for one in sorted(_candidates(text, frozenset(taken)), reverse=True):
        places = range(one.start, one.end)
        if taken.isdisjoint(places):
            taken.update(places)
            yield text[one.start : one.end]


def _candidates(text: str, known: frozenset[int]) -> Iterator[_Candidate]:
    tried = Counter[str]()
    for beginning in _BEGINS_FULL.finditer(text):
        start = beginning.start()
        if start in known or (match := _FULL.match(text, start)) is None:
            continue
        given = match.end(1)
        name = text[start : given + 2]
        tried[name] += 1
        if tried[name] > _PLACES:
            continue
        first, last = text[given], text[given + 1 : given + 2]
        odds = [(1, LAST_GIVEN[first])] if first in LAST_GIVEN else []
        if first in FIRST_GIVEN and last in LAST_GIVEN and match[1] not in _KIND:
            odds.append((2, FIRST_GIVEN[first] + LAST_GIVEN[last]))
        bonus = _KIND.get(match[1], _COMPOUND * (len(match[1]) > 1))
        most = bonus + _CLEAR + (_CLEAR if start == 0 or not _ONE_HAN.match(text, start - 1) else _BEFORE_NAMES["v"])
        for length, one in odds:
            end = given + length
            if one + most >= _LEAST[length] and _may_be_name(text, start, given, end):
                evidence = one + bonus + _evidence(text, start, given, end) - _LEAST[length]
                if evidence >= 0 and evidence + (own := _own_word_evidence(text, start, given, end)) >= 0:
                    yield _Candidate(evidence + own, start, end)
    for match in _GIVEN.finditer(text):
        one, (start, end) = FIRST_GIVEN[match[1]] + LAST_GIVEN[match[2]], match.span()
        if one + 2 * _CLEAR >= _LEAST_ALONE and _may_be_name(text, start, start, end):
            evidence = one + _evidence(text, start, start, end) - _LEAST_ALONE
            if evidence >= 0:
                yield _Candidate(evidence, start, end)


def given_alone(names: Iterable[str], text: str) -> Iterator[str]:
    """Yield the given names of two characters of full names; those that are words, only if they stand as names do.

    >>> list(given_alone(["欧阳志强", "李胜利", "孙建国", "王军"], "孙建国是我丈夫，建国打我。李胜利庆祝胜利成果。"))
    ['志强', '建国']
    """
    for name in names:
        match = _WHOLE.fullmatch(name)
        if match and (not _is_word(match[1]) or _stands_as_name(match[1], name, text)):
            yield match[1]


@lru_cache(20_000)
def _is_word(given: str) -> bool:
    word, tag = words_by_place(given)[0]
    return len(word) > 1 and not tag.startswith("nr")


def _stands_as_name(given: str, name: str, text: str) -> bool:
    """Return whether a given name stands without the surname, and between words as a name does wherever it does."""
    evidence = [
        _surroundings(before(text, match.start()), given, after(text, match.end()))
        for match in re.finditer(f"(?<!{re.escape(name[: -len(given)])}){given}", text)
    ]
    return bool(evidence) and min(evidence) >= _BETWEEN_WORDS


def _surroundings(left: str, given: str, right: str) -> float:
    words = words_by_place(left + given + right)
    follows = _right_evidence(words, len(left) + len(given), right) if right else 0.0
    return _left_evidence(words, len(left)) + follows


def _may_be_name(text: str, start: int, given: int, end: int) -> bool:
    """Return whether nothing excludes a name: a measure before, a mask or a place after, a word that looks like one."""
    if text[max(start - 1, 0) : start].isdigit() or _NO_PERSON.match(text, end):
        return False
    if _TITLE in text[start:end] or (given - start < 2 and text[given:end] in NAME_LIKE_WORDS):  # 和慈善, 诸葛明亮
        return False
    return text[start:end] not in NAME_LIKE_WORDS


def _evidence(text: str, start: int, given: int, end: int) -> float:
    return _context(before(text, start), text[start:given], text[given:end], after(text, end))


@lru_cache(20_000)
def _context(left: str, surname: str, given: str, right: str) -> float:
    """Return the evidence of the words around a candidate."""
    stand_in = _STAND_IN if surname else ""
    words = words_by_place(left + stand_in + given + right)
    at = len(left)
    evidence = _left_evidence(words, at) + _right_evidence(words, at + len(stand_in) + len(given), right)
    if surname in _PARTICLES:
        evidence += _PARTICLE if len(given) == 1 else _PARTICLE / 2
    word, tag = words.get(at + len(stand_in), ("", ""))
    if len(given) == 2 and word == given and not tag.startswith("nr"):
        evidence += _IN_WORD if surname in _PARTICLES or not surname else _WORD_AS_GIVEN
    return evidence


def _left_evidence(words: dict[int, tuple[str, str]], at: int) -> float:
    if at == 0:
        return _CLEAR
    previous = next((tag for place, (word, tag) in words.items() if place + len(word) == at), "")
    return _BEFORE_NAMES.get(previous[:1], _UNLIKELY)


def _right_evidence(words: dict[int, tuple[str, str]], end: int, right: str) -> float:
    if not right:
        return _CLEAR
    if end not in words:
        return 2 * _UNLIKELY
    return _CLEAR if words[end][1][:1] in _AFTER_NAMES else _UNLIKELY


def _own_word_evidence(text: str, start: int, given: int, end: int) -> float:
    """Return the evidence against a surname that is part of another word."""
    left, surname = before(text, start), text[start:given]
    word, tag = words_by_place(left + text[start:end] + after(text, end)).get(len(left), ("", ""))
    if word and (tag.startswith("nr") or len(word) <= len(surname)):
        return 0.0
    return _UNLIKELY if word and surname in MOSTLY_NAMES else _IN_WORD
