"""Highlighting: a text cut into runs by character offsets, with marked sentences and marked words inside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """Highlighted span of a text."""

    start: int
    end: int
    look: str = ""
    """CSS class."""
    why: str = ""
    """Tooltip."""
    anchor: str = ""
    """HTML id."""
    leads_to: str = ""
    """HTML id of the matching span on the other side."""
    label: str = ""
    """Label before the span, such as the number of a pair."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a run: plain text, or a marked word."""

    text: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """Part of a text: plain, or a marked sentence. Both may contain marked words."""

    pieces: tuple[Piece, ...]
    mark: Mark | None = None


def runs(text: str, sentences: Iterable[Mark], words: Iterable[Mark] = ()) -> list[Run]:
    """Cut a text into runs, in order. Of overlapping marks the first one given wins.

    >>> [run.pieces[0].text for run in runs("翻墙。拿走现金。", [Mark(3, 8)])]
    ['翻墙。', '拿走现金。']
    """
    outer, inner = _without_overlaps(text, sentences), _without_overlaps(text, words)
    found = []
    for start, end, mark in _segments(0, len(text), outer):
        pieces = tuple(Piece(text[left:right], own) for left, right, own in _segments(start, end, inner))
        found.append(Run(pieces, mark))
    return found


def _without_overlaps(text: str, marks: Iterable[Mark]) -> list[tuple[int, int, Mark]]:
    """Return the marks inside the text in order, without those that overlap an earlier one."""
    taken: list[tuple[int, int, Mark]] = []
    for mark in marks:
        start, end = max(mark.start, 0), min(mark.end, len(text))
        if start < end and all(end <= left or right <= start for left, right, _ in taken):
            taken.append((start, end, mark))
    return sorted(taken, key=lambda one: one[0])


def _segments(start: int, end: int, marks: Sequence[tuple[int, int, Mark]]) -> Iterator[tuple[int, int, Mark | None]]:
    """Yield marked and unmarked segments that cover the range from start to end."""
    for begin, stop, mark in marks:
        left, right = max(begin, start), min(stop, end)
        if left >= right:
            continue
        if start < left:
            yield start, left, None
        yield left, right, mark
        start = right
    if start < end:
        yield start, end, None
