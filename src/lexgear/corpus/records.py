"""What was decided and what is asked: documents, queries, and the collection that holds both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from lexgear.law.tree import LawTree

NO_SECTIONS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Citation:
    """An article of a law, as a judgment cites it: `Citation("刑法", "133-1")` is 刑法第一百三十三条之一."""

    law: str
    number: str


@dataclass(frozen=True, slots=True)
class Penalty:
    """A sentence. For a document: the heaviest of its defendants' final sentences."""

    kind: str
    """`death`, `death-suspended`, `life`, `imprisonment`, `detention`, `control`, `fine` or `exempt`."""
    months: int | None = None
    """Length of imprisonment (有期徒刑), detention (拘役) or control (管制)."""
    probation_months: int | None = None
    """Length of the probation (缓刑), where the term is suspended."""
    fine: int | None = None
    """Fine in yuan."""


@dataclass(frozen=True, slots=True)
class Defendant:
    """One defendant of a judgment: the charges found against them and their sentence."""

    name: str
    charges: tuple[str, ...] = ()
    penalty: Penalty | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A judgment, or a statutory article."""

    id: str
    sections: Mapping[str, str] = field(default_factory=lambda: NO_SECTIONS)
    """`fact`, `reasoning` and `verdict` of a judgment; `text` where the source has no parts."""
    title: str = ""
    charges: tuple[str, ...] = ()
    """Official names of the charges found; the law nodes the document hangs under."""
    node: str = ""
    """For a statutory article: its own node in the law."""
    articles: tuple[Citation, ...] = ()
    defendants: tuple[Defendant, ...] = ()
    penalty: Penalty | None = None
    court: str = ""
    level: str = ""
    """`supreme`, `high`, `intermediate`, `basic` or `special`."""
    region: str = ""
    """Province-level region, by its short name (江西, 北京)."""
    date: str = ""
    """Of the judgment, as `YYYY-MM-DD`."""
    number: str = ""
    """Case number, such as （2018）赣0111刑初485号."""

    @property
    def text(self) -> str:
        """All sections, one after the other."""
        return "\n".join(part for part in self.sections.values() if part)


@dataclass(frozen=True, slots=True)
class Query:
    """Facts of an undecided case, or a citizen's question. The labels never reach a ranker's input."""

    id: str
    text: str
    charges: tuple[str, ...] = ()
    """Gold charges: a label, for evaluation and for the trivial rankers that say so."""
    split: str = ""
    """`train`, `test`, or empty where the source has no split."""
    own_documents: tuple[str, ...] = ()
    """Documents the query was drawn from; left out of its results, and their labels with them."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, queries, graded labels and the law they stand under."""

    name: str
    language: str
    """`zh` or `fr`."""
    documents: tuple[Document, ...]
    queries: tuple[Query, ...] = ()
    qrels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """query id → document id → grade."""
    pools: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """query id → its official candidates, where the data set has them."""
    law: LawTree = field(default_factory=LawTree)
    relevant_from: int = 1
    """The lowest grade that counts as relevant in binary measures."""
    source: Mapping[str, str] = field(default_factory=dict)
    """Provenance: what was read, licence, notes."""
