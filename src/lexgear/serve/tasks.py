"""What can be asked of the model: values that are equal where the answer is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from lexgear.api import Hit
from lexgear.judgment.judge import Judgment
from lexgear.rationale.records import Rationale
from lexgear.serve.api.models import Comparison
from lexgear.serve.comparison import compared
from lexgear.serve.served_index import ServedIndex


class Task(Protocol):
    """Something to ask; hashable."""

    @property
    def text(self) -> str:
        """What is to be read for it; empty where nothing is."""

    @property
    def walks(self) -> bool:
        """Whether the text is led down the law."""

    @property
    def ranks(self) -> bool:
        """Whether documents are ranked by it."""

    def run(self, served_index: ServedIndex) -> Any:
        """Works out the answer."""


@dataclass(frozen=True, slots=True)
class Search:
    """Precedents for a text."""

    text: str
    k: int
    filters: tuple[str, ...] = ()
    node: str = ""
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = True

    def run(self, served_index: ServedIndex) -> list[Hit]:
        """The hits, best first."""
        return served_index.search(self.text, self.k, self.filters, self.node)


@dataclass(frozen=True, slots=True)
class Judge:
    """The judgment on a text."""

    text: str
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = False

    def run(self, served_index: ServedIndex) -> Judgment:
        """The charges and what speaks for them."""
        return served_index.judge(self.text)


@dataclass(frozen=True, slots=True)
class Explain:
    """What matters in a text."""

    text: str
    walks: ClassVar[bool] = False
    ranks: ClassVar[bool] = False

    def run(self, served_index: ServedIndex) -> Rationale:
        """What f_R picks."""
        return served_index.rationale(self.text)


@dataclass(frozen=True, slots=True)
class Compare:
    """A text, or else a case, beside a case."""

    text: str
    case: str
    other: str
    walks: ClassVar[bool] = True
    ranks: ClassVar[bool] = False

    def run(self, served_index: ServedIndex) -> Comparison:
        """What they share and where they differ."""
        return compared(served_index, self.text, self.case, self.other)
