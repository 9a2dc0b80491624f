"""Expressions of the charge book in a text: what the facts say for a charge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from lexgear.corpus.extraction.factors.negation import denied
from lexgear.law.charge_book import charge_book, scenery
from lexgear.rationale.records import Part

EXPRESSION = "expression"
"""Kind of the parts."""
_OCCURRENCES = 20
"""Occurrences of an expression that are tried; in a case, the first ones are nearly always affirmed."""


def expressions_in(text: str, charge: str) -> tuple[Part, ...]:
    """Return the expressions of a charge that the text states, in order, each at its first place.

    Longer expressions come first and are not cut: 入户盗窃 hides 盗窃 in the same place. Denied ones and mere scenery
    (手机, 宾馆) do not count.

    >>> [part.text for part in expressions_in("甲没有翻窗，而是撬锁入室，盗走手机。", "盗窃罪")]
    ['撬锁', '盗走']
    """
    found: list[Part] = []
    for expression in _longest_first(charge):
        for start in _places(text, expression):
            end = start + len(expression)
            if any(start < part.end and part.start < end for part in found) or denied(text, start, end):
                continue
            found.append(Part(EXPRESSION, expression, start, end, 1.0, charge))
            break
    return tuple(sorted(found, key=lambda part: part.start))


def states(text: str, words: str) -> bool:
    """Return whether a text states these words without denying them.

    >>> states("甲抢走手机", "抢走"), states("甲没有抢走手机", "抢走")
    (True, False)
    """
    return first_stated(text, words) is not None


def states_all(text: str, groups: Iterable[Iterable[str]]) -> bool:
    """Return whether a text states a word of every group."""
    return all(any(states(text, word) for word in group) for group in groups)


def first_stated(text: str, words: str) -> int | None:
    """Return the first place at which a text states these words without denying them; None if there is none."""
    return next((start for start in _places(text, words) if not denied(text, start, start + len(words))), None)


def _places(text: str, expression: str) -> Iterator[int]:
    place = text.find(expression)
    for _ in range(_OCCURRENCES):
        if place < 0:
            return
        yield place
        place = text.find(expression, place + 1)


@cache
def _longest_first(charge: str) -> tuple[str, ...]:
    entry = charge_book().get(charge)
    words = set(entry.expressions) - scenery() if entry else set()
    return tuple(sorted(words, key=lambda word: (-len(word), word)))
