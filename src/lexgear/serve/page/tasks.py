"""Tasks of the page that the API does not have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from lexgear.api import Hit
from lexgear.index.facets import REACH
from lexgear.index.sorting import Sort
from lexgear.serve.api.models import Comparison
from lexgear.serve.comparing.comparison import compare_all
from lexgear.serve.comparing.elements import ChargeElements, compare_elements
from lexgear.serve.comparing.keyword_places import KeywordLines, keyword_lines
from lexgear.serve.faceting import FacetCounts, facets_of
from lexgear.serve.served_index import Explained, ServedIndex

PARTS = ("charge", "content", "words", "legal_terms", "past_questions")
"""Parts of a score."""


class ResultPage(NamedTuple):
    """Hits of a search, with what concerns its best `REACH` hits."""

    hits: list[Hit]
    searched: int
    """Number of documents that pass the filters."""
    has_more: bool
    facets: FacetCounts
    floors: dict[str, float]
    """Smallest value of each part of the score; empty if the ranker does not explain its scores."""


@dataclass(frozen=True, slots=True)
class FindResults:
    """Search whose best hits are counted by facets and may be put into another order."""

    text: str
    k: int
    filters: tuple[str, ...] = ()
    node: str = ""
    sort: Sort = Sort.RELEVANCE
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = True

    def run(self, served_index: ServedIndex) -> ResultPage:
        """Rank once, count the facets from the catalogue, and read the documents that are shown."""
        scope = served_index.scope(self.filters, self.node)
        found = served_index.rank(self.text, max(self.k + 1, REACH), scope)
        searched = len(served_index.index) if scope.only is None else len(scope.only)
        best = [one.document for one, _ in found[:REACH]]
        facets = facets_of(served_index, self.text, self.filters, self.node, best)
        hits = served_index.to_hits(self.text, found[: max(self.k, REACH)], self.k, self.sort)
        return ResultPage(hits, searched, len(found) > self.k, facets, _floors(found[:REACH]))


class ComparedHits(NamedTuple):
    """Comparisons of a search with its hits, one entry per hit."""

    comparisons: list[Comparison]
    elements: list[list[ChargeElements]]
    keyword_lines: list[KeywordLines]
    """Empty without keywords."""


@dataclass(frozen=True, slots=True)
class CompareAll:
    """Comparison of a text with each of several cases; the text is encoded once."""

    text: str
    others: tuple[str, ...]
    terms: tuple[str, ...] = ()
    """Keywords."""
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = False

    def run(self, served_index: ServedIndex) -> ComparedHits:
        """Compare the text with every case."""
        documents = [served_index.document(other) for other in self.others]
        return ComparedHits(
            compare_all(served_index, self.text, self.others),
            [compare_elements(self.text, document) for document in documents],
            [keyword_lines(document, self.terms) for document in documents] if self.terms else [],
        )


def _floors(found: Sequence[Explained]) -> dict[str, float]:
    explanations = [why for _, why in found if why is not None]
    return {name: min(getattr(one, name) for one in explanations) for name in PARTS} if explanations else {}
