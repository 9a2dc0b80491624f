"""Search results for users of the library: documents with rank, score, place in the law and explanation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from lexgear.corpus.extraction.factors.comparison import (
    FactorComparison,
    StatedValue,
    compare_factors,
    stated_by_document,
)
from lexgear.corpus.json_rows import count_row, document_row
from lexgear.corpus.penalties_by_charge import penalties_by_charge
from lexgear.corpus.records import Document
from lexgear.law.tree import LawNode

if TYPE_CHECKING:
    from lexgear.rankers.explanation import Explanation


@dataclass(frozen=True, slots=True, repr=False)
class Hit:
    """A document in the results of a search."""

    rank: int
    """Position in the results, from 1."""
    score: float
    """Higher is better; comparable only within one search."""
    document: Document
    paths: tuple[tuple[LawNode, ...], ...]
    """Places of the document in the law: the nodes from the code down to each charge, or to the article itself."""
    explanation: Explanation | None = None
    """Parts of the score; None if the ranker gives no explanations."""
    query_factors: Mapping[str, StatedValue] | None = None
    """Legal factors that the text of the search states; None if they were not read."""

    def __repr__(self) -> str:
        title = f", title={self.document.title!r}" if self.document.title else ""
        places = f", places={list(self.places)}" if self.paths else ""
        return f"Hit(rank={self.rank}, score={self.score:.5g}, id={self.document.id!r}{title}{places})"

    @property
    def places(self) -> tuple[str, ...]:
        """Each path on one line, such as `刑法 › 侵犯财产罪 › 264 › 盗窃罪`."""
        return tuple(" › ".join(step_name(node) for node in path) for path in self.paths)

    @property
    def factors(self) -> FactorComparison | None:
        """Legal factors of the text of the search (left) and of the document (right); None if they were not read."""
        if self.query_factors is None or self.document.node:  # a statutory article has no circumstances
            return None
        return compare_factors(self.query_factors, stated_by_document(self.document))

    @property
    def sentence(self) -> str:
        """The penalty in a few words, such as `imprisonment 18 months`; empty if unknown."""
        penalty = self.document.penalty
        if penalty is None:
            return ""
        months = f" {penalty.months} months" if penalty.months else ""
        probation = f", probation {penalty.probation_months} months" if penalty.probation_months else ""
        return f"{penalty.kind}{months}{probation}"

    @property
    def in_force(self) -> str:
        """Dates of a statutory article in a few words, such as `in force since 2021-03-01`; empty if unknown."""
        since, until = self.document.in_force_from, self.document.in_force_until
        parts = [f"since {since}"] * bool(since) + [f"until {until}"] * bool(until)
        return f"in force {', '.join(parts)}" if parts else ""

    def to_row(self) -> dict[str, Any]:
        """Return the hit as plain values for JSON."""
        paths = [[node.id for node in path] for path in self.paths]
        explanation = self.explanation.to_row() if self.explanation else None
        own = {"rank": self.rank, "score": self.score, "paths": paths, "explanation": explanation}
        if factors := self.factors:
            own["factors"] = asdict(factors)
        by_charge = [count_row(count) for count in penalties_by_charge(self.document)]
        return {**own, **document_row(self.document)} | ({"penalties_by_charge": by_charge} if by_charge else {})


def step_name(node: LawNode) -> str:
    """Return the name of a law node within a path: `5 侵犯财产罪`, `264`, `盗窃罪`."""
    if node.kind in {"law", "charge"}:
        return node.title or node.number
    return f"{node.number} {node.title}" if node.title and node.kind != "article" else node.number
