"""Reader of French statutes in Markdown: a heading per division and per article, as in public repositories of laws."""

from __future__ import annotations

import re

from lexgear.law.headings import read_heading
from lexgear.law.tree import LawTree, TreeBuilder

_HEADING = re.compile(r"(#+)\s+(.+)$")
_ARTICLE = re.compile(
    r"\*{0,3}Art(?:icle|\.)\s{1,9}"
    r"((?:[LRDA]\*?\.?\s?)?\d[\w./-]{0,30}?(?:\s(?:bis|ter|quater|quinquies|sexies))?|[^\s*:]{1,30}?)"
    r"[.*:]{0,9}(?!\S)",
    re.IGNORECASE,
)


def read_markdown_statute(text: str, *, code: str, title: str) -> LawTree:
    """Return the tree of a statute whose divisions and articles are Markdown headings.

    A heading `Article 144` begins an article, and the lines below it are its text. Other headings are divisions; more
    signs `#` mean a deeper one. The first heading is left out if it repeats the title.
    """
    builder = TreeBuilder()
    root = builder.add(None, "law", code, title)
    open_divisions: list[tuple[int, str]] = []
    article = ""
    for line in text.splitlines():
        heading = _HEADING.match(line.strip())
        if heading is None:
            if article and line.strip():
                builder.extend_text(article, line.strip())
            continue
        depth, written = len(heading[1]), heading[2].rstrip("#").rstrip() or heading[2]
        open_divisions = [division for division in open_divisions if division[0] < depth]
        above = open_divisions[-1][1] if open_divisions else root
        if number := _ARTICLE.match(written):
            article = builder.add(above, "article", number[1])
        elif article or open_divisions or written != title:
            read = read_heading(written)
            open_divisions.append((depth, builder.add(above, read.kind, read.number, read.title)))
            article = ""
    return builder.tree()
