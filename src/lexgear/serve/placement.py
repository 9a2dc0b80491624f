"""Documents by place of the law, and values to filter by; counted once when an index is opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
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
    """Law node id → ids of the documents at or below it, sorted."""
    articles: Mapping[str, str]
    """Document id of a statutory article → its law node id."""
    unplaced: int
    facets: Mapping[str, Mapping[str, int]]
    """Filter → value → number of documents; dates are counted by year."""

    @classmethod
    def of(cls, index: Index) -> DocumentPlacement:
        """Count the documents of an index; the 9,088 judgments of LeCaRD take two seconds."""
        charges: dict[str, tuple[str, ...]] = {}
        for node in index.law.of_kind("charge"):
            charges[node.number] = (*charges.get(node.number, ()), node.id)
        below: dict[str, set[str]] = {}
        counted: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
        unplaced, articles = 0, dict[str, str]()
        for document in index.stored.catalogue.documents():
            for name, values in _values(document).items():
                counted[name].update(values)
            if document.node in index.law:
                articles[document.id] = document.node
            places = _places(document, index.law, charges)
            unplaced += not places
            for step in {step.id for place in places for step in index.law.path(index.law[place])}:
                below.setdefault(step, set()).add(document.id)
        facets = {name: dict(counts.most_common()) for name, counts in counted.items()}
        facets["date"] = dict(sorted(counted["date"].items()))
        facets["factor"] = index.stored.catalogue.factor_counts()
        sorted_below = {place: tuple(sorted(ids)) for place, ids in below.items()}
        return cls(charges, sorted_below, articles, unplaced, facets)

    def count(self, node_id: str) -> int:
        """Return the number of documents at or below a place."""
        return len(self.below.get(node_id, ()))

    def paths(self, document: Document, law: LawTree) -> list[tuple[LawNode, ...]]:
        """Return the paths from the code down to each place of a document."""
        return [law.path(law[place]) for place in _places(document, law, self.charges)]


def _places(document: Document, law: LawTree, charges: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the places of a document as in a hit: its own article, then its charges."""
    own = [document.node] if document.node in law else []
    return own + [place for name in document.charges for place in charges.get(name, ())]


def _values(document: Document) -> dict[str, set[str]]:
    penalty = document.penalty.kind if document.penalty else ""
    single = {"level": document.level, "region": document.region, "penalty": penalty, "date": document.date[:4]}
    lists = {"charge": set(document.charges), "article": {f"{one.law}{one.number}" for one in document.articles}}
    return {**lists, **{name: {value} - {""} for name, value in single.items()}}
