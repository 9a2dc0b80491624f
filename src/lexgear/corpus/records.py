"""Documents, queries and the collections that hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from lexgear.law.tree import LawTree

NO_SECTIONS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Citation:
    """Citation of an article of a law: `Citation("刑法", "133-1")` is 刑法第一百三十三条之一."""

    law: str
    number: str


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty. The penalty of a document is the heaviest final penalty of its defendants."""

    kind: str
    """`death`, `death-suspended`, `life`, `imprisonment`, `detention`, `control`, `fine` or `exempt`."""
    months: int | None = None
    """Length of imprisonment (有期徒刑), detention (拘役) or control (管制)."""
    probation_months: int | None = None
    """Length of the probation (缓刑), if the term is suspended."""
    fine: int | None = None
    """Fine in yuan."""


@dataclass(frozen=True, slots=True)
class Count:
    """A charge of a conviction, with the penalty for this charge alone; None if only a combined one is known."""

    charge: str
    penalty: Penalty | None = None


@dataclass(frozen=True, slots=True)
class Defendant:
    """A defendant of a judgment, with the charges of the conviction and the final penalty."""

    name: str
    charges: tuple[str, ...] = ()
    penalty: Penalty | None = None
    counts: tuple[Count, ...] = ()
    """One per charge if the final penalty combines several; empty if it does not, or if no count is known."""


@dataclass(frozen=True, slots=True)
class Document:
    """A judgment, or a statutory article."""

    id: str
    sections: Mapping[str, str] = field(default_factory=lambda: NO_SECTIONS)
    """`fact`, `reasoning` and `verdict` of a judgment; `text` if the source has no sections."""
    title: str = ""
    charges: tuple[str, ...] = ()
    """Official names of the charges; in the law tree the document hangs under their nodes."""
    node: str = ""
    """Id of the law node of a statutory article."""
    articles: tuple[Citation, ...] = ()
    defendants: tuple[Defendant, ...] = ()
    penalty: Penalty | None = None
    court: str = ""
    level: str = ""
    """`supreme`, `high`, `intermediate`, `basic` or `special`."""
    region: str = ""
    """Short name of the province-level region (江西, 北京)."""
    date: str = ""
    """Date of the judgment as `YYYY-MM-DD`."""
    number: str = ""
    """Case number, such as （2018）赣0199刑初8071号."""
    authority: str = ""
    """`guiding`, `gazette`, `reference` or `typical`, if the decision was published as such (`authority.py`)."""
    in_force_from: str = ""
    """First day in force of a statutory article, or of this version of it, as `YYYY-MM-DD`; empty if unknown."""
    in_force_until: str = ""
    """Last day in force as `YYYY-MM-DD`; empty if it is still in force."""

    @property
    def text(self) -> str:
        """All non-empty sections, joined by line breaks."""
        return "\n".join(part for part in self.sections.values() if part)


@dataclass(frozen=True, slots=True)
class Query:
    """The facts of an undecided case, or a citizen's question. Rankers never see the labels."""

    id: str
    text: str
    charges: tuple[str, ...] = ()
    """Gold charges: a label for evaluation, and for baselines that declare that they read labels."""
    split: str = ""
    """`train`, `test`, or empty if the source has no split."""
    own_documents: tuple[str, ...] = ()
    """Documents that the query was drawn from: excluded from its results and its labels."""
    incomplete_labels: bool = False
    """True if relevant documents are known to lack a label: the query is trained on, never validated or scored."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, queries, relevance labels and the law tree."""

    name: str
    language: str
    """`zh` or `fr`."""
    documents: Sequence[Document]
    """All documents, in memory or in a file (`document_files.py`)."""
    queries: tuple[Query, ...] = ()
    qrels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """query id → document id → grade."""
    pools: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """query id → official candidates, if the data set has them."""
    law: LawTree = field(default_factory=LawTree)
    relevant_from: int = 1
    """The lowest grade that counts as relevant in binary measures."""
    source: Mapping[str, str] = field(default_factory=dict)
    """Provenance: name of the data set, licence, notes."""
