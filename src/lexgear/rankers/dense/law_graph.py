"""Graph of the law: edges from headings to their content, between neighbouring articles, and from cases to charges."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from lexgear.corpus.records import Collection
from lexgear.law.tree import LawNode


@dataclass(frozen=True)
class LawGraph:
    """Numbered nodes: the documents by position, then every place of the law that is not a document."""

    texts: tuple[str, ...]
    """Texts of the places after the documents: their content or title."""
    pairs: tuple[tuple[int, int], ...]
    """Edges between neighbours and between parents and children; a node without text of its own has a self-loop."""
    nodes: int

    @classmethod
    def of(cls, collection: Collection) -> LawGraph:
        """Build the graph; an article that is a document is one node, and its further documents are linked to it."""
        law, numbers, pairs = collection.law, dict[str, int](), []
        for position, document in enumerate(collection.documents):
            if document.node in law:
                pairs.append((numbers.setdefault(document.node, position), position))
        others = [node for node in law if node.id not in numbers]
        numbers |= {node.id: len(collection.documents) + offset for offset, node in enumerate(others)}
        for node in law:
            pairs += [(numbers[node.id], numbers[child]) for child in node.children]
            articles = [child.id for child in law.children(node) if child.kind == "article"]
            pairs += [(numbers[one], numbers[other]) for one, other in pairwise(articles)]
        charges: dict[str, list[int]] = {}
        for node in law.of_kind("charge"):
            charges.setdefault(node.number, []).append(numbers[node.id])
        for position, document in enumerate(collection.documents):
            pairs += [(position, charge) for name in document.charges for charge in charges.get(name, ())]
        return cls(tuple(map(_text, others)), tuple(pairs), len(collection.documents) + len(others))


def _text(node: LawNode) -> str:
    return f"{node.title or node.number}\n{node.text}".strip()
