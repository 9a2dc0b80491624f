"""Reader of Chinese statutes: plain text with 【caption】 charges, or Markdown headings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lexgear.law.numerals import ARTICLE, NUMERAL, article_number, chinese_number
from lexgear.law.tree import LawTree, TreeBuilder

DIVISIONS = {"编": "part", "分编": "subpart", "章": "chapter", "节": "section"}
LEVELS = tuple(DIVISIONS.values())

_DIVISION = re.compile(rf"#*\s*第({NUMERAL}+)(编|分编|章|节)(?:[\s　]+(.*))?$")
_ANNEX = re.compile(r"#*\s*附\s*(?:则|件.*)$")
_CAPTION = re.compile(r"【([^】]*)】\s*")
_REFERS_ELSEWHERE = re.compile(
    rf"依照\s*本法(?:\s*第{NUMERAL}+条[^。；]{{0,60}}|的有关)规定\s*(?:定罪|以[^。；]{{0,30}}论处)"
)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A paragraph of an article with its captions."""

    article: str
    captions: tuple[str, ...]
    text: str

    @property
    def is_definition(self) -> bool:
        """True if the paragraph defines its charges rather than referring to another article."""
        return not _REFERS_ELSEWHERE.search(self.text)


def read_statute(text: str, *, code: str, title: str) -> LawTree:
    """Return the tree of a Chinese statute from its text, with or without Markdown headings and captions.

    A charge named in the captions of several articles belongs to the one that defines it: 盗窃罪 to article 264, not to
    article 196, which only refers to it.
    """
    builder = TreeBuilder()
    root = builder.add(None, "law", code, title)
    open_divisions: dict[str, str] = {}
    paragraphs: list[_Paragraph] = []
    article, preamble_over = "", False
    for line in (raw.strip("　 \t\r") for raw in text.splitlines()):
        if division := _DIVISION.match(line):
            kind, heading = DIVISIONS[division[2]], (division[3] or "").strip()
            open_divisions = {k: v for k, v in open_divisions.items() if LEVELS.index(k) < LEVELS.index(kind)}
            parent = _innermost(open_divisions, root)
            open_divisions[kind] = builder.add(parent, kind, str(chinese_number(division[1])), heading)
            article, preamble_over = "", True
        elif _ANNEX.match(line):
            article, open_divisions = "", {}
        elif heading := _article_heading(line):
            rest = line[heading.end() :].strip("　 ")
            captions, body = _split_captions(rest)
            article = builder.add(
                _innermost(open_divisions, root),
                "article",
                article_number(heading),
                "；".join(captions),
                body,
            )
            paragraphs.append(_Paragraph(article, captions, body))
            preamble_over = True
        elif line and article and preamble_over and not line.startswith(("#", "<!--")):
            captions, body = _split_captions(line)
            builder.extend_text(article, body)
            paragraphs.append(_Paragraph(article, captions, body))
    _add_charges(builder, paragraphs)
    return builder.tree()


def charge_names(caption: str) -> tuple[str, ...]:
    """Return the charges named in a caption: none in 【单位犯罪】, three in 【甲罪，乙罪，丙罪】."""
    names = [name.strip() for name in re.split("[，,；;]", caption)]
    named = all(name.endswith("罪") and not name.endswith("犯罪") for name in names)
    return tuple(names) if named else ()


def _add_charges(builder: TreeBuilder, paragraphs: Iterable[_Paragraph]) -> None:
    homes: dict[str, _Paragraph] = {}
    for paragraph in paragraphs:
        for name in (name for caption in paragraph.captions for name in charge_names(caption)):
            if name not in homes or (paragraph.is_definition and not homes[name].is_definition):
                homes[name] = paragraph
    for name, paragraph in homes.items():
        builder.add(paragraph.article, "charge", name, name, paragraph.text)


def _article_heading(line: str) -> re.Match[str] | None:
    match = ARTICLE.match(line.lstrip("#* "))
    if match is None:
        return None
    match = ARTICLE.search(line)
    rest = line[match.end() :] if match else ""
    return match if not rest or rest[0] in " 　\t【*" else None


def _split_captions(line: str) -> tuple[tuple[str, ...], str]:
    captions: list[str] = []
    position = 0
    while caption := _CAPTION.match(line, position):
        captions.append(caption[1].strip())
        position = caption.end()
    return tuple(captions), line[position:].strip("　 ")


def _innermost(open_divisions: dict[str, str], root: str) -> str:
    return next((open_divisions[kind] for kind in reversed(LEVELS) if kind in open_divisions), root)
