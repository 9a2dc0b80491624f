"""Masking of the names of private persons: 张三 becomes 张某, and offsets can be mapped to the masked text.

Names of court staff and institutions are kept. In languages other than Chinese only the parties that an index knows by
name are masked, by their initials.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, count
from operator import attrgetter
from typing import NamedTuple

from lexgear.corpus.records import Document
from lexgear.privacy.name_matching import NameMatcher
from lexgear.privacy.names import filter_persons, find_names
from lexgear.privacy.surnames import surname

_STAFF = re.compile(r"(?:审判长|审判员|陪审员|书记员|法官助理|检察员|检察官|公诉人)[：:\s]*$")
_LONGEST_STAFF = 12
_OF_INSTITUTION = re.compile("(?:股份|有限|集团).{0,4}公司|律师事务所|大学|医院|[中小]学|工厂|酒店|饭店|超市")
"""Words after a name that make it the name of an institution; 王强公司 just means the company of 王强."""
_DISTINGUISHING = "甲乙丙丁戊己庚辛壬癸"
_TAKEN = re.compile("([\u4e00-\u9fff]?)([\u4e00-\u9fff]某[某甲乙丙丁0-9]*)")


class Replacement(NamedTuple):
    """A masked name: its offsets in the original text, and the text shown instead."""

    start: int
    end: int
    shown: str


@dataclass(frozen=True, slots=True)
class Masked:
    """A text with masked names and the replacements made.

    >>> masked = Masker({"李明辉": "李某"}).mask("被告人李明辉翻墙。")
    >>> masked.text, masked.span(6, 9)
    ('被告人李某翻墙。', (5, 8))
    """

    text: str
    replaced: tuple[Replacement, ...] = ()
    shifts: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """By how much the text has grown after each number of replacements."""

    def __post_init__(self) -> None:
        grown = (len(one.shown) - (one.end - one.start) for one in self.replaced)
        object.__setattr__(self, "shifts", tuple(accumulate(grown, initial=0)))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the original to the masked text; a name that it touches is included whole."""
        return self._place(start, after=False), self._place(max(start, end), after=True)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Map a span of the masked text back to the original; a name that it touches is included whole.

        >>> Masker({"李明辉": "李某"}).mask("被告人李明辉翻墙。").original(3, 8)
        (3, 9)
        """
        return self._original(start, after=False), self._original(max(start, end), after=True)

    def quote(self, start: int, end: int) -> tuple[str, tuple[Replacement, ...]]:
        """Return the masked text of a span of the original, and the replacements in it."""
        first, last = self.span(start, end)
        touched = bisect_right(self.replaced, start, key=_end), bisect_left(self.replaced, end, key=_start)
        return self.text[first:last], self.replaced[slice(*touched)]

    def _place(self, offset: int, *, after: bool) -> int:
        before = bisect_left(self.replaced, offset, key=_start)
        if before and (last := self.replaced[before - 1]).end > offset:  # inside the name
            return last.start + self.shifts[before - 1] + (len(last.shown) if after else 0)
        return offset + self.shifts[before]

    def _original(self, offset: int, *, after: bool) -> int:
        places = range(len(self.replaced))
        before = bisect_left(places, offset, key=lambda at: self.replaced[at].start + self.shifts[at])
        if before and (last := self.replaced[before - 1]).start + self.shifts[before - 1] + len(last.shown) > offset:
            return last.end if after else last.start  # inside the mask
        return offset - self.shifts[before]


_start, _end = attrgetter("start"), attrgetter("end")


class Masker:
    """Masker of person names, with the same mask for a name in all texts of a case."""

    def __init__(self, masks: Mapping[str, str], language: str = "zh") -> None:
        self.masks, self.language = dict(masks), language
        self.names = NameMatcher(self.masks, whole_words=language != "zh")

    @classmethod
    def of(cls, texts: Sequence[str], known: Iterable[str] = (), title: str = "", language: str = "zh") -> Masker:
        """Return a masker for the persons that an index knows or, in Chinese, that the texts and the title name.

        >>> Masker.of(["被告人李明辉、李强翻墙，被害人王芳报案。"]).masks
        {'李明辉': '李某1', '李强': '李某2', '王芳': '王某'}
        """
        if language != "zh":
            return cls({name: initials(name) for name in known if len(name) > 1}, language)
        whole = (title, *texts)
        names = dict.fromkeys((*filter_persons(known, whole), *find_names(texts, title)))
        return cls(dict(_numbered_masks(list(names), whole)))

    def same_length(self) -> Masker:
        """Return a masker for the same names whose masks are as long as the names, so that offsets stay valid.

        >>> Masker.of(["被告人李明辉、王强翻墙，李明亮报案。"], ["李明亮"]).same_length().masks
        {'李明亮': '李某甲', '李明辉': '李某乙', '王强': '王某'}
        """
        return Masker(dict(_same_length_masks(list(self.masks), self.language)), self.language)

    def mask(self, text: str) -> Masked:
        """Mask every name in a text, except names of court staff and institutions."""
        replaced = tuple(self._replacements(text))
        return Masked(apply_replacements(text, replaced), replaced)

    def _replacements(self, text: str) -> Iterator[Replacement]:
        for start, end in self.names.find(text):
            before = text[max(0, start - _LONGEST_STAFF) : start]
            if self.language == "zh" and (_STAFF.search(before) or _OF_INSTITUTION.match(text, end)):
                continue
            yield Replacement(start, end, self.masks[text[start:end]])


NO_MASKING = Masker({})
"""Masker that changes nothing."""


def document_masker(document: Document, language: str) -> Masker:
    """Return a masker for the persons named in a judgment."""
    known = [defendant.name for defendant in document.defendants]
    return Masker.of(tuple(document.sections.values()), known, document.title, language)


def apply_replacements(text: str, replaced: Iterable[Replacement]) -> str:
    """Return the text with the replacements made."""
    pieces, end = [], 0
    for one in replaced:
        pieces += [text[end : one.start], one.shown]
        end = one.end
    return "".join((*pieces, text[end:]))


def initials(name: str) -> str:
    """Return the initials of a name.

    >>> initials("Jean-Marie Dupont"), initials("DURAND")
    ('J.-M. D.', 'D.')
    """
    return re.sub(r"([^\W\d_])[\w'’]*", r"\1.", name)


def _same_length_masks(names: Sequence[str], language: str) -> Iterator[tuple[str, str]]:
    """Yield each name with a mask of its length; shared masks get a distinguishing character if there is room."""
    if language != "zh":
        yield from ((name, re.sub(r"(?<=[^\W\d_])[\w'’]", "*", name)) for name in names)
        return
    bare = [surname(name) + "某" * (len(name) - len(surname(name))) for name in names]
    shared, numbers = Counter(bare), {sign: count() for sign in bare}
    for name, sign in zip(names, bare, strict=True):
        number = next(numbers[sign]) if shared[sign] > 1 and sign.endswith("某某") else len(_DISTINGUISHING)
        yield name, sign[:-1] + _DISTINGUISHING[number] if number < len(_DISTINGUISHING) else sign


def _numbered_masks(names: Sequence[str], texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each name with its mask, numbered if persons share it or the text already contains it."""
    found = {one for text in texts for one in _TAKEN.findall(text)}
    taken = {sign for _, sign in found} | {before + sign for before, sign in found}
    bare = [f"{surname(name)}某" for name in names]
    shared, numbers = Counter(bare), {sign: count(1) for sign in bare}
    for name, sign in zip(names, bare, strict=True):
        if shared[sign] == 1 and sign not in taken:
            yield name, sign
        else:
            yield name, next(one for number in numbers[sign] if (one := f"{sign}{number}") not in taken)
