"""Tables of articles with a path column: `Code Civil · Livre I > Titre V · 144` becomes a place in a tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lexgear.law.headings import read_heading
from lexgear.law.numerals import ARTICLE, article_number
from lexgear.law.tree import LawTree, TreeBuilder


@dataclass(frozen=True, slots=True)
class ArticleRow:
    """One row of the table."""

    id: str
    law: str
    """Name of the law or code."""
    source: str
    """Where the text of the law came from: two versions of one law are two trees."""
    number: str
    """As the law writes it: 第一百三十三条之一, `1385octies`."""
    path: tuple[str, ...]
    """Headings from the outermost to the innermost; none where the article hangs under the law itself."""
    text: str = ""


def tree_from_table(rows: Iterable[ArticleRow]) -> tuple[LawTree, dict[str, str]]:
    """The forest of laws a table describes, and the node of every row; order is that of the table.

    Articles that share the headings of a path share its nodes. A law that stands in the table from several
    sources gets one tree for each, told apart by the source.
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
