"""Models behind the pages; they are masked before the views are computed."""

from __future__ import annotations

from lexgear.serve.api.models import (
    Case,
    CaseBrief,
    Comparison,
    Judgment,
    LawRoot,
    LawStep,
    Rationale,
    ResponseModel,
    SearchAnswer,
)
from lexgear.serve.comparing.elements import ChargeElements
from lexgear.serve.comparing.keyword_places import KeywordLines


class SearchResult(ResponseModel):
    """Everything that the answer to a search shows."""

    found: SearchAnswer
    judgment: Judgment | None
    rationale: Rationale
    comparisons: list[Comparison]
    """One per hit."""
    elements: list[list[ChargeElements]]
    """Per hit, elements of its charges."""
    keyword_lines: list[KeywordLines]
    """One per hit; none without keywords."""
    searched: int
    """Number of documents that pass the filters."""
    floors: dict[str, float]
    """Smallest value of each part of the score among the best hits."""


class SideBySide(ResponseModel):
    """Comparison with the full text of its cases."""

    comparison: Comparison
    left: Case | None
    """None if a text is compared."""
    right: Case


class CollectionPage(ResponseModel):
    """Places of the law, and the cases of a selection."""

    root: LawRoot
    documents: list[CaseBrief]


class ReadCase(ResponseModel):
    """Document that is read, and what it has in common with the text of the search."""

    case: Case
    comparison: Comparison | None
    """None without a search."""
    before: LawStep | None
    """Article before a statutory article; `id` is that of its document."""
    after: LawStep | None


class PickedCases(ResponseModel):
    """Cases that were picked for a report."""

    cases: list[CaseBrief]
