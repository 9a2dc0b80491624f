"""Models behind the pages; they are masked before the views are computed."""

from __future__ import annotations

from lexgear.serve.api.models import (
    Case,
    CaseBrief,
    Comparison,
    Judgment,
    Rationale,
    ResponseModel,
    SearchAnswer,
)


class SearchResult(ResponseModel):
    """Everything that the answer to a search shows."""

    found: SearchAnswer
    judgment: Judgment | None
    rationale: Rationale
    comparisons: list[Comparison]
    """One per hit."""


class SideBySide(ResponseModel):
    """Comparison with the full text of its cases."""

    comparison: Comparison
    left: Case | None
    """None if a text is compared."""
    right: Case


class PickedCases(ResponseModel):
    """Cases that were picked for a report."""

    cases: list[CaseBrief]
