"""Highlights from character offsets: a text cut into runs, sentences outside and words within, names masked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lexgear.privacy.masking import Masked


@dataclass(frozen=True, slots=True)
class Mark:
    """A span of a text that is to stand out."""

    start: int
    end: int
    look: str = ""
    """Class of the style sheet."""
    why: str = ""
    """What a reader who points at it is told."""
    anchor: str = ""
    """The id it can be found by."""
    leads_to: str = ""
    """The id of what it is alike to."""
    label: str = ""
    """A sign before it, such as the number of a pair."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a run: plain, or a word that is marked."""

    text: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a text: plain, or a sentence that is marked; in both there may be words."""

    pieces: tuple[Piece, ...]
    mark: Mark | None = None


def runs(text: Masked, sentences: Iterable[Mark], words: Iterable[Mark] = ()) -> list[Run]:
    """The whole text, in order; offsets of the marks count in the text before it was masked.

    >>> [run.pieces[0].text for run in runs(Masked("翻墙。拿走现金。"), [Mark(3, 8)])]
    ['翻墙。', '拿走现金。']
    """
    outer, inner = _apart(text, sentences), _apart(text, words)
    found = []
    for start, end, mark in _covering(0, len(text.text), outer):
        pieces = tuple(Piece(text.text[left:right], own) for left, right, own in _covering(start, end, inner))
        found.append(Run(pieces, mark))
    return found


def _apart(text: Masked, marks: Iterable[Mark]) -> list[tuple[int, int, Mark]]:
    """The marks by their places in the masked text, in order; of those that overlap the first that came."""
    taken: list[tuple[int, int, Mark]] = []
    for mark in marks:
        start, end = text.span(max(mark.start, 0), mark.end)
        end = min(end, len(text.text))
        if start < end and all(end <= left or right <= start for left, right, _ in taken):
            taken.append((start, end, mark))
    return sorted(taken, key=lambda one: one[0])


def _covering(start: int, end: int, marks: Sequence[tuple[int, int, Mark]]) -> Iterator[tuple[int, int, Mark | None]]:
    """From start to end without a gap: what is marked (as far as it lies inside) and what lies between."""
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
