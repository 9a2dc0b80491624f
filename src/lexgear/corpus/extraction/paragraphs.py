"""Paragraphs of a judgment or an article, for readers: sources often give a section as one line.

A Chinese judgment says who speaks at the beginning of a paragraph: the prosecution, the defence, the court, or the list
of evidence. Paragraphs are offsets into the text; no character is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_NUMERALS = "[一二三四五六七八九十]{1,3}"
_HEADS = (
    rf"{_NUMERALS}、|§ ?\d+(?:er|bis|ter|quater)?\b",
    rf"[（(]{_NUMERALS}[）)]|\d{{1,2}}° ",
    r"[0-9０-９]{1,2}[.．、](?![0-9０-９])|[（(][0-9０-９]{1,2}[）)]|[①-⑳]|[a-z]\) ",
)
"""Beginnings of numbered paragraphs, by level: 一、 or § 1er; （一） or 1°; 1. or a)."""
_OPENINGS = (
    r"经(?:本院|依法|公开|开庭)*审理查明|另查明|还查明|(?:上述|以上)(?:犯罪)?事实|如不服本判决|公诉机关(?:认为|就|为)"
    r"|为证(?:明|实)(?:上述|以上)"
)
_BREAK = re.compile(
    r"(?<![^\S\n])[^\S\n]*+\n\s*+"  # from the first of several spaces only: with \s*\n, 100,000 took 45 seconds
    r"|(?<=[。；：！？）”」])[ \u3000]+(?=\S)"
    rf"|(?<=[。；：:;])\s*(?=(?:{'|'.join(_HEADS)}))|(?<=[.)]) +(?=§ ?\d|\d{{1,2}}° )"
    rf"|(?<=[。）])(?=(?:{_OPENINGS}))|(?<=。）)(?={_NUMERALS}、)|(?<=[。；])(?=[（(](?:刑期|缓刑考验))"
)
_LEVELS = tuple(re.compile(head) for head in _HEADS)
_FOUND = re.compile(
    r"经[^。，]{0,14}查明|(?:本院|原审|原判|一审)[^。，]{0,10}(?:查明|认定)|(?:另|还|又|再)查明|查明[：，]"
)
_EVIDENCE = re.compile(
    r"(?:上述|以上|上列|前述|认定)[^。，；]{0,14}事实|为证(?:明|实)(?:上述|以上|该)|[^。]{0,20}(?:有)?下列证据"
)
_CHARGED = re.compile(r"[^。，]{0,24}(?:人民检察院|公诉机关|检察机关|自诉人)[^。]{0,40}?(?:指控|起诉|认为|诉称|诉请)")
_DEFENCE = re.compile(
    r"[^。，]{0,20}(?:被告人|被告单位|上诉人|辩护人)[^。]{0,60}?(?:辩称|辩解|辩护意见|异议|自愿认罪|提出|供认)|辩护人"
)
_DEFENCE_AFTER_EVIDENCE = re.compile(r"(?:被告人|被告单位|上诉人)[^。，]{0,40}(?:辩护人|辩称|异议)")
_NOTE = re.compile("[（(](?:刑期|缓刑考验|罚金|上列|上述|前罪|已缴|已履行|限)|如不服本判决|本判决为终审|审判[长员]")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Paragraph of a section: `text[start:end]`."""

    start: int
    end: int
    level: int = 0
    """1, 2 or 3 for a numbered paragraph (一、（一）1.); 0 for any other."""
    speaker: str = ""
    """`charged`, `defence`, `found` or `evidence` in the facts of a judgment; empty if the text does not say."""
    is_note: bool = False
    """True for remarks on the term of a sentence and on appeal."""


def paragraphs(text: str, section: str = "") -> list[Paragraph]:
    """Return the paragraphs of a section.

    >>> text = "公诉机关指控，王某翻墙入室。 经审理查明，事实属实。 上述事实，有下列证据证实： 1.证言。"
    >>> [(text[one.start : one.end], one.speaker, one.level) for one in paragraphs(text, "fact")][2:]
    [('上述事实，有下列证据证实：', 'evidence', 0), ('1.证言。', 'evidence', 3)]
    """
    found, speaker = [], ""
    for start, end in _spans(text):
        level = next((number for number, head in enumerate(_LEVELS, start=1) if head.match(text, start)), 0)
        if section == "fact":
            speaker = _speaker(text[start : min(end, start + 120)], level, speaker)
        is_note = section == "verdict" and _NOTE.match(text, start) is not None
        found.append(Paragraph(start, end, level, speaker, is_note))
    return found


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans between breaks, without surrounding space."""
    breaks = [(0, 0), *(match.span() for match in _BREAK.finditer(text)), (len(text), len(text))]
    for (_, start), (end, _) in pairwise(breaks):
        kept = text[start:end]
        if stripped := kept.strip():
            first = start + len(kept) - len(kept.lstrip())
            yield first, first + len(stripped)


def _speaker(opening: str, level: int, before: str) -> str:
    """Return who speaks in a paragraph that begins so; `before` is the speaker of the paragraph before."""
    if _FOUND.match(opening):
        return "found"
    if before == "evidence" and level:  # items of the list of evidence: 3.被告人供述
        return "evidence"
    if _EVIDENCE.match(opening):
        return "evidence"
    if _CHARGED.match(opening):
        return "charged"
    if before == "evidence":
        return "defence" if _DEFENCE_AFTER_EVIDENCE.match(opening) else "evidence"
    return "defence" if before in {"charged", "defence"} and _DEFENCE.match(opening) else before
