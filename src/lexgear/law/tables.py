"""Law trees from tables of articles with their headings: `Code Civil · Livre I > Titre V · 144`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lexgear.law.headings import read_heading
from lexgear.law.numerals import ARTICLE, article_number
from lexgear.law.tree import LawTree, TreeBuilder


@dataclass(frozen=True, slots=True)
class ArticleRow:
    """An article with its law and the headings above it."""

    id: str
    law: str
    """Name of the law or code."""
    source: str
    """Origin of the text of the law; two versions of one law become two trees."""
    number: str
    """Number as written in the law: 第一百三十三条之一, `1385octies`."""
    path: tuple[str, ...]
    """Headings from the outermost to the innermost; empty if the article is directly below the law."""
    text: str = ""


def tree_from_table(rows: Iterable[ArticleRow]) -> tuple[LawTree, dict[str, str]]:
    """Return the forest of laws that a table describes, and row id → node id; the order is that of the table.

    Articles with the same headings share their nodes. A law that comes from several sources gets one tree per source.
    """
    rows = tuple(rows)
    sources: dict[str, set[str]] = {}
    for row in rows:
        sources.setdefault(row.law, set()).add(row.source)
    builder = TreeBuilder()
    divisions: dict[tuple[str, str, tuple[str, ...]], str] = {}
    places: dict[str, str] = {}
    for row in rows:
        root = (row.law, row.source, ())
        if root not in divisions:
            number = row.law if len(sources[row.law]) == 1 else row.source
            divisions[root] = builder.add(None, "law", number, row.law)
        parent = divisions[root]
        for depth, written in enumerate(row.path, start=1):
            if not written.strip():
                continue
            place = (row.law, row.source, row.path[:depth])
            if place not in divisions:
                heading = read_heading(written)
                divisions[place] = builder.add(parent, heading.kind, heading.number, heading.title)
            parent = divisions[place]
        places[row.id] = builder.add(parent, "article", _figures(row.number), text=row.text)
    return builder.tree(), places


def _figures(number: str) -> str:
    match = ARTICLE.fullmatch(number.strip())
    return article_number(match) if match else number.strip()
