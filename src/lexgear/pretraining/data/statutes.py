"""Statutory articles as things to learn from: an article, and the questions or the titles that ask for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from lexgear.corpus.records import Collection, Document, Query
from lexgear.docids.ids import DocIds
from lexgear.docids.law import law_ids
from lexgear.docids.trie import Trie
from lexgear.law.tree import LawNode, LawTree
from lexgear.training.examples import paths_to
from lexgear.training.query_split import relevant

MOST = 3000
"""Places of a law that a base model tells apart."""


@dataclass(frozen=True, slots=True)
class Article:
    """A statutory article and where it stands."""

    text: str
    titles: str
    """Of all that stands above it, as BM25 reads them."""
    place: str
    """The law node right above it."""
    questions: tuple[str, ...] = ()
    """Training questions that it answers."""


def articles_of(collection: Collection, questions: Sequence[Query]) -> Iterator[Article]:
    """The documents that are articles, each with those of the questions that it answers."""
    asked: dict[str, list[str]] = {}
    for query in questions:
        for name in relevant(collection, query):
            asked.setdefault(name, []).append(query.text)
    for document in collection.documents:
        if is_article(document):
            own = collection.law[document.node]
            titles = " ".join(node.title for node in collection.law.path(own)[:-1] if node.title)
            yield Article(document.text, titles, own.parent or own.id, tuple(asked.get(document.id, ())))


def is_article(document: Document) -> bool:
    """Whether a document is a place of the law itself."""
    return bool(document.node)


@dataclass(frozen=True)
class Headings:
    """The places of articles as a law without documents, no finer than a base model can tell apart."""

    ids: DocIds
    _nodes: dict[str, int] = field(repr=False)

    def node(self, place: str) -> int | None:
        """The trie node of a place; of the one above it where the law was cut off there."""
        while place not in self._nodes and "/" in place:
            place = place.rsplit("/", 1)[0]
        return self._nodes.get(place)


def headings_of(law: LawTree, places: Sequence[str]) -> Headings:
    """The headings that articles stand under, down to the deepest level where there are fewer than `MOST`."""
    depth = {node.id: len(law.path(node)) for node in law if node.kind != "article"}
    deepest = max((level for level in set(depth.values()) if _count(depth, level) < MOST), default=1)
    kept = {node.id: node for node in law if depth.get(node.id, deepest + 1) <= deepest}
    short = dict.fromkeys(law.path(law[place])[:deepest][-1].id for place in places)
    standing = [Document(place, node=f"{place}/·") for place in short]
    articles = {document.node: LawNode(document.node, "article", "·", parent=document.id) for document in standing}
    tree = LawTree.from_rows(LawTree(kept | articles).to_rows())
    ids = law_ids(Collection("law", "", tuple(standing), law=tree))
    bare = without_documents(ids)
    names = {bare.node_name(node): node for node in range(1, bare.trie.node_count)}
    return Headings(bare, {place: names.get(f"{place}/here", names[place]) for place in short})


def without_documents(ids: DocIds) -> DocIds:
    """The law that documents hang in, alone."""
    nodes = ids.trie.internal_nodes[1:]
    ways = paths_to(ids, nodes.tolist())
    symbols = np.where(ways >= 0, ids.trie.symbol[ways], -1)
    trie = Trie.build(symbols, np.full(len(nodes), -1))
    return DocIds(trie, ids.names[: ids.law_symbols], ids.law_symbols, ids.kinds)


def _count(depth: dict[str, int], deepest: int) -> int:
    return sum(level <= deepest for level in depth.values())
