"""Statutory articles as training cases, with the questions or titles that ask for them."""

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


@dataclass(frozen=True, slots=True)
class Article:
    """Statutory article with its position in the law."""

    text: str
    titles: str
    """Titles of all ancestors, as BM25 reads them."""
    place: str
    """Parent law node."""
    questions: tuple[str, ...] = ()
    """Training questions that the article answers."""


def articles_of(collection: Collection, questions: Sequence[Query]) -> Iterator[Article]:
    """Yield the documents that are articles, each with the questions it answers."""
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
    """Return whether a document is an article of the law."""
    return bool(document.node)


@dataclass(frozen=True)
class Headings:
    """Headings of articles as a law without documents, as fine as a base model can distinguish."""

    ids: DocIds
    _nodes: dict[str, int] = field(repr=False)

    def node(self, place: str) -> int | None:
        """Return the trie node of a heading, or of its nearest ancestor if the law was cut there."""
        while place not in self._nodes and "/" in place:
            place = place.rsplit("/", 1)[0]
        return self._nodes.get(place)


def headings_of(law: LawTree, places: Sequence[str], limit: int) -> Headings:
    """Return the headings above the articles, down to the deepest level with fewer than `limit` headings."""
    depth = {node.id: len(law.path(node)) for node in law if node.kind != "article"}
    deepest = max((level for level in set(depth.values()) if _count(depth, level) < limit), default=1)
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
    """Return the law of some IDs without their documents."""
    nodes = ids.trie.internal_nodes[1:]
    paths = paths_to(ids, nodes.tolist())
    symbols = np.where(paths >= 0, ids.trie.symbol[paths], -1)
    trie = Trie.build(symbols, np.full(len(nodes), -1))
    return DocIds(trie, ids.names[: ids.law_symbols], ids.law_symbols, ids.kinds)


def _count(depth: dict[str, int], deepest: int) -> int:
    return sum(level <= deepest for level in depth.values())
