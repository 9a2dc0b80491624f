"""What a model reads of a text: its rationale, the query's side for queries and the document's side for documents.

The query's side sees the text alone. No label of a query can reach it: there is no argument for one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lexgear.corpus.records import Collection, Document
from lexgear.law.charges import shipped_charges
from lexgear.law.tree import LawTree
from lexgear.progress import Progress, silent
from lexgear.rationale.extract import Extractor
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.prototypes import Encoder
from lexgear.rationale.records import Rationale, RationaleSettings

FACT_CHARACTERS = 3000
NO_LAW = LawTree()


class Inputs:
    """Texts as a model reads them; without settings the texts themselves (no f_R), without an encoder no B3.

    Plain, the model reads facts as they are, with the names of charges masked, and rationales are for people alone: so
    base models learn to read.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        settings: RationaleSettings | None = None,
        encoder: Encoder | None = None,
        *,
        plain: bool = False,
    ) -> None:
        self.lexicon, self.plain = lexicon, plain
        self._extractor = Extractor(lexicon, settings, encoder) if settings else None
        self._read: dict[str, tuple[Sequence[Document], list[str]]] = {}
        """What was last made of which documents: folds read the same ones again and again."""

    @classmethod
    def of(
        cls,
        collection: Collection,
        settings: RationaleSettings | None = None,
        encoder: Encoder | None = None,
        *,
        plain: bool = False,
    ) -> Inputs:
        """For the charges of a collection's law."""
        charges = {node.number: node.text for node in collection.law.of_kind("charge")}
        return cls(Lexicon.from_charges(charges, collection.language), settings, encoder, plain=plain)

    def of_queries(self, texts: Sequence[str], progress: Progress = silent) -> list[str]:
        """The rationales of undecided cases."""
        if self.plain or self._extractor is None:
            return list(texts)
        return [rationale.text() for rationale in self._extractor.many(texts, progress=progress)]

    def rationale(self, text: str) -> Rationale:
        """What f_R picks of an undecided case, with spans and scores."""
        return (self._extractor or Extractor(self.lexicon)).query(text)

    def of_query(self, text: str, rationale: Rationale) -> str:
        """`of_queries` of one text whose rationale is known."""
        return text if self.plain or self._extractor is None else rationale.text()

    def of_documents(
        self, documents: Sequence[Document], law: LawTree = NO_LAW, progress: Progress = silent
    ) -> list[str]:
        """The rationales of decided cases, guided by their own charges; plain, an article stands under its titles."""
        return self._once("documents", documents, lambda: self._documents(documents, law, progress))

    def _documents(self, documents: Sequence[Document], law: LawTree, progress: Progress) -> list[str]:
        if self.plain:
            facts = zip(documents, self.masked_facts(documents), strict=True)
            return [_with_titles(one, law) if one.node in law else text for one, text in facts]
        texts = [_facts_and_reasoning(document) for document in documents]
        if self._extractor is None:
            return texts
        charges = [document.charges for document in documents]
        return [rationale.text() for rationale in self._extractor.many(texts, charges, progress)]

    def of_judgments_as_queries(self, documents: Sequence[Document], progress: Progress = silent) -> list[str]:
        """The facts of decided cases read as if they were not decided: the charges they name are masked."""
        return self._once("queries", documents, lambda: self.of_queries(self.masked_facts(documents), progress))

    def _once(self, how: str, documents: Sequence[Document], make: Callable[[], list[str]]) -> list[str]:
        before, made = self._read.get(how, ((), []))
        if len(before) != len(documents) or any(old is not new for old, new in zip(before, documents, strict=True)):
            self._read[how] = (tuple(documents), made := make())
        return list(made)

    def masked_facts(self, documents: Sequence[Document]) -> list[str]:
        """The facts alone, without the names of charges: prosecutors name them, undecided cases do not."""
        book = shipped_charges()
        return [book.masked(_facts(document)) for document in documents]


def _facts(document: Document) -> str:
    return document.sections.get("fact", "")[:FACT_CHARACTERS] or document.text[:FACT_CHARACTERS]


def _with_titles(article: Document, law: LawTree) -> str:
    above = " ".join(node.title for node in law.path(law[article.node])[:-1] if node.title)
    return f"{above}\n{article.text[:FACT_CHARACTERS]}"


def _facts_and_reasoning(document: Document) -> str:
    if "fact" in document.sections:
        return f"{_facts(document)}\n{document.sections.get('reasoning', '')}"
    return document.text
