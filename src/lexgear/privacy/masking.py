"""Names of private persons masked: 张三 becomes 张某 everywhere in a text, and every place can still be found.

Court staff and institutions keep their names. In languages other than Chinese only the parties an index knows by name
are masked, by their initials.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

from lexgear.corpus.records import Document
from lexgear.privacy.names import names_in, persons, surname

_STAFF = re.compile(r"(?:审判长|审判员|陪审员|书记员|法官助理|检察员|检察官|公诉人)[：:\s]*$")
_LONGEST_STAFF = 12
_OF_INSTITUTION = re.compile("(?:股份|有限|集团).{0,4}公司|律师事务所|大学|医院|[中小]学|工厂|酒店|饭店|超市")
"""What makes a name that of an institution; 王强公司 is how people speak of the company of 王强."""
_APART = "甲乙丙丁戊己庚辛壬癸"
_TAKEN = re.compile("([\u4e00-\u9fff]?)([\u4e00-\u9fff]某[某甲乙丙丁0-9]*)")


class Replacement(NamedTuple):
    """One name that was masked: where it stood in the original, and what stands in its place."""

    start: int
    end: int
    shown: str


@dataclass(frozen=True, slots=True)
class Masked:
    """A text with its names masked, and where they stood.

    >>> masked = Masker({"李明辉": "李某"}).mask("被告人李明辉翻墙。")
    >>> masked.text, masked.span(6, 9)
    ('被告人李某翻墙。', (5, 8))
    """

    text: str
    replaced: tuple[Replacement, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of the original stands in the masked text; a name that it touches belongs to it whole."""
        return self._place(start, after=False), self._place(max(start, end), after=True)

    def quoted(self, start: int, end: int) -> tuple[str, tuple[Replacement, ...]]:
        """A span of the original as it stands in the masked text, and the names masked in it."""
        first, last = self.span(start, end)
        return self.text[first:last], tuple(one for one in self.replaced if one.start < end and one.end > start)

    def _place(self, offset: int, *, after: bool) -> int:
        grown = 0
        for one in self.replaced:
            if one.start >= offset:
                break
            if one.end > offset:  # inside the name
                return one.start + grown + (len(one.shown) if after else 0)
            grown += len(one.shown) - (one.end - one.start)
        return offset + grown


class Masker:
    """Masks the same names by the same signs in all texts of a case."""

    def __init__(self, masks: Mapping[str, str], language: str = "zh") -> None:
        self.masks, self.language = dict(masks), language
        longest_first = sorted((name for name in masks if name), key=lambda name: (-len(name), name))
        pattern = "|".join(map(re.escape, longest_first))
        if language != "zh":
            pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
        self._names = re.compile(pattern) if longest_first else None

    @classmethod
    def of(cls, texts: Sequence[str], known: Iterable[str] = (), title: str = "", language: str = "zh") -> Masker:
        """For the persons that an index knows or, in Chinese, that the texts and their title name as such.

        >>> Masker.of(["被告人李明辉、李强翻墙，被害人王芳报案。"]).masks
        {'李明辉': '李某1', '李强': '李某2', '王芳': '王某'}
        """
        if language != "zh":
            return cls({name: initials(name) for name in known if len(name) > 1}, language)
        whole = (title, *texts)
        names = dict.fromkeys((*persons(known, whole), *names_in(texts, title)))
        return cls(dict(_numbered(list(names), whole)))

    def aligned(self) -> Masker:
        """For the same names, each by a sign as long as itself, so that no place moves.

        >>> Masker.of(["被告人李明辉、王强翻墙，李明亮报案。"], ["李明亮"]).aligned().masks
        {'李明亮': '李某甲', '李明辉': '李某乙', '王强': '王某'}
        """
        return Masker(dict(_aligned(list(self.masks), self.language)), self.language)

    def mask(self, text: str) -> Masked:
        """The text with every name masked, except where it is that of a judge, a clerk or an institution."""
        replaced = tuple(self._replacements(text)) if self._names else ()
        return Masked(replace_all(text, replaced), replaced)

    def _replacements(self, text: str) -> Iterator[Replacement]:
        assert self._names is not None
        for match in self._names.finditer(text):
            before = text[max(0, match.start() - _LONGEST_STAFF) : match.start()]
            if self.language == "zh" and (_STAFF.search(before) or _OF_INSTITUTION.match(text, match.end())):
                continue
            yield Replacement(match.start(), match.end(), self.masks[match[0]])


NO_MASKING = Masker({})
"""Masks nothing."""


def document_masker(document: Document, language: str) -> Masker:
    """For the persons a judgment names."""
    known = [defendant.name for defendant in document.defendants]
    return Masker.of(tuple(document.sections.values()), known, document.title, language)


def replace_all(text: str, replaced: Iterable[Replacement]) -> str:
    """The text with every replacement made."""
    pieces, end = [], 0
    for one in replaced:
        pieces += [text[end : one.start], one.shown]
        end = one.end
    return "".join((*pieces, text[end:]))


def initials(name: str) -> str:
    """A name by its initials.

    >>> initials("Jean-Marie Dupont"), initials("DURAND")
    ('J.-M. D.', 'D.')
    """
    return re.sub(r"([^\W\d_])[\w'’]*", r"\1.", name)


def _aligned(names: Sequence[str], language: str) -> Iterator[tuple[str, str]]:
    """The sign of each name, as long as the name; persons who would share one are told apart where there is room."""
    if language != "zh":
        yield from ((name, re.sub(r"(?<=[^\W\d_])[\w'’]", "*", name)) for name in names)
        return
    bare = [surname(name) + "某" * (len(name) - len(surname(name))) for name in names]
    shared, numbers = Counter(bare), {sign: count() for sign in bare}
    for name, sign in zip(names, bare, strict=True):
        number = next(numbers[sign]) if shared[sign] > 1 and sign.endswith("某某") else len(_APART)
        yield name, sign[:-1] + _APART[number] if number < len(_APART) else sign


def _numbered(names: Sequence[str], texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The sign of each name; where persons would share one, or it stands in the text already, with a number."""
    found = {one for text in texts for one in _TAKEN.findall(text)}
    taken = {sign for _, sign in found} | {before + sign for before, sign in found}
    bare = [f"{surname(name)}某" for name in names]
    shared, numbers = Counter(bare), {sign: count(1) for sign in bare}
    for name, sign in zip(names, bare, strict=True):
        if shared[sign] == 1 and sign not in taken:
            yield name, sign
        else:
            yield name, next(one for number in numbers[sign] if (one := f"{sign}{number}") not in taken)
