"""Tasks of the batching worker. Tasks with equal answers are equal, so that a batch runs them once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from lexgear.api import Hit
from lexgear.index.sorting import Sort
from lexgear.judgment.records import Judgment
from lexgear.rationale.records import Rationale
from lexgear.serve.api.models import Comparison
from lexgear.serve.comparing.comparison import compare
from lexgear.serve.faceting import FacetCounts, facets_of
from lexgear.serve.served_index import ServedIndex


class Task(Protocol):
    """Task protocol; implementations are hashable."""

    @property
    def text(self) -> str:
        """Text to encode; empty if there is none."""

    @property
    def walks(self) -> bool:
        """True if the task needs the probabilities of the law tree."""

    @property
    def ranks(self) -> bool:
        """True if the task ranks documents."""

    def run(self, served_index: ServedIndex) -> Any:
        """Return the answer."""


@dataclass(frozen=True, slots=True)
class Search:
    """Search for the k best documents."""

    text: str
    k: int
    filters: tuple[str, ...] = ()
    node: str = ""
    sort: Sort = Sort.RELEVANCE
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = True

    def run(self, served_index: ServedIndex) -> list[Hit]:
        """Return the hits, best first, or in another order."""
        return served_index.search(self.text, self.k, self.filters, self.node, self.sort)


@dataclass(frozen=True, slots=True)
class CountFacets:
    """Facets of the best hits of a search."""

    text: str
    filters: tuple[str, ...] = ()
    node: str = ""
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = True

    def run(self, served_index: ServedIndex) -> FacetCounts:
        """Return facet → value → number of hits."""
        return facets_of(served_index, self.text, self.filters, self.node)


@dataclass(frozen=True, slots=True)
class Judge:
    """Judgment on a text."""

    text: str
    date: str | None = None
    """Date of the act; None to read it from the text."""
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = False

    def run(self, served_index: ServedIndex) -> Judgment:
        """Return the predicted charges."""
        return served_index.judge(self.text, self.date)


@dataclass(frozen=True, slots=True)
class Explain:
    """Rationale of a text."""

    text: str
    walks: ClassVar[bool] = False
    ranks: ClassVar[bool] = False

    def run(self, served_index: ServedIndex) -> Rationale:
        """Return the words and sentences that f_R selects."""
        return served_index.rationale(self.text)


@dataclass(frozen=True, slots=True)
class Compare:
    """Comparison of a text, or of a case if `case` is set, with another case."""

    text: str
    case: str
    other: str
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = False

    def run(self, served_index: ServedIndex) -> Comparison:
        """Return the comparison."""
        return compare(served_index, self.text, self.case, self.other)
