"""Documents by place of the law, and values to filter by; counted once when an index is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lexgear.api import Index
from lexgear.corpus.records import Document
from lexgear.law.tree import LawNode, LawTree

FACETS = ("charge", "article", "level", "region", "penalty", "date")


@dataclass(frozen=True)
class DocumentPlacement:
    """Documents by place of the law, and filter values with their counts."""

    charges: Mapping[str, tuple[str, ...]]
    """Name of a charge → its places; two codes may have a charge of the same name."""
    below: Mapping[str, tuple[str, ...]]
    """Law node id → ids of the documents at or below it: articles in the order of the law, then cases by id."""
    articles: Mapping[str, str]
    """Document id of a statutory article → its law node id."""
    unplaced: int
    facets: Mapping[str, Mapping[str, int]]
    """Filter → value → number of documents; dates are counted by year."""

    @classmethod
    def of(cls, index: Index) -> DocumentPlacement:
        """Count the documents of an index from the columns of its catalogue, without reading the documents."""
        charges: dict[str, tuple[str, ...]] = {}
        for node in index.law.of_kind("charge"):
            charges[node.number] = (*charges.get(node.number, ()), node.id)
        catalogue, law = index.stored.catalogue, index.law
        articles = {name: node for name, node in catalogue.nodes().items() if node in law}
        named, placed = catalogue.charges(), 0
        below: dict[str, list[str]] = {}
        above: dict[tuple[str, ...], list[list[str]]] = {}
        order = {node.id: place for place, node in enumerate(law)}

        def place_and_name(name: str) -> tuple[int, str]:
            return order.get(articles.get(name, ""), len(order)), name

        for name in sorted(articles.keys() | named.keys(), key=place_and_name):
            places = tuple(_places(articles.get(name, ""), named.get(name, ()), charges))
            if places not in above:
                steps = {step.id for place in places for step in law.path(law[place])}
                above[places] = [below.setdefault(step, []) for step in sorted(steps)]
            for ids in above[places]:
                ids.append(name)
            placed += bool(places)
        facets = {name: catalogue.counts(name) for name in (*FACETS, "factor")}
        facets["date"] = dict(sorted(facets["date"].items()))
        return cls(charges, {place: tuple(ids) for place, ids in below.items()}, articles, len(index) - placed, facets)

    def count(self, node_id: str) -> int:
        """Return the number of documents at or below a place."""
        return len(self.below.get(node_id, ()))

    def paths(self, document: Document, law: LawTree) -> list[tuple[LawNode, ...]]:
        """Return the paths from the code down to each place of a document."""
        node = document.node if document.node in law else ""
        return [law.path(law[place]) for place in _places(node, document.charges, self.charges)]


def _places(node: str, names: Sequence[str], charges: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the places of a document as in a hit: its own article, then its charges."""
    return [node] * bool(node) + [place for name in names for place in charges.get(name, ())]
