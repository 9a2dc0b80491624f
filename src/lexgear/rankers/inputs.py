"""Model inputs: the text or rationale that a model reads for a query or a document.

Queries are passed as plain texts, so no label of a query can reach a model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from lexgear.corpus.records import Collection, Document
from lexgear.law.charges import shipped_charges
from lexgear.law.tree import LawTree
from lexgear.lexical.legal_terms import LegalTerm, LegalTerms
from lexgear.progress import Progress, silent
from lexgear.rationale.budget import Count, fitted_texts
from lexgear.rationale.definitions import NO_DESCRIPTIONS, charge_lexicon
from lexgear.rationale.expand import accepted
from lexgear.rationale.extract import Extractor
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.prototypes import Encoder
from lexgear.rationale.records import Rationale, RationaleSettings

Read = TypeVar("Read")

FACT_CHARACTERS = 3000
"""Longest part of the facts that a model reads itself; f_R reads all of them, since it selects what a model reads."""
NO_LAW = LawTree()


class Inputs:
    """Converts queries and documents into model inputs.

    Without settings there is no f_R and the inputs are the texts themselves; without an encoder there is no B3. If
    `plain`, the model reads the facts with charge names masked, as base models do, and rationales are only shown to
    people.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        settings: RationaleSettings | None = None,
        encoder: Encoder | None = None,
        *,
        plain: bool = False,
        appends_terms: bool = False,
    ) -> None:
        self.lexicon, self.plain = lexicon, plain
        self._settings, self._encoder = settings, encoder
        self.legal_terms: LegalTerms | None = None
        """Lexicon of legal terms for everyday expressions of queries."""
        self.appends_terms = appends_terms
        """True if a model reads a query followed by its legal terms; documents stay as they are."""
        self._extractor = Extractor(lexicon, settings, encoder) if settings else None
        self._budget: tuple[int, Count] | None = None
        self._cache: dict[str, tuple[Sequence[Document], list[Any]]] = {}
        """The last documents and what was read of them by kind: cross-validation reads them repeatedly."""

    def __reduce__(self) -> tuple[Callable[..., Inputs], tuple[Any, ...]]:
        """Return how another process makes the same inputs, without what was read."""
        terms = self.legal_terms, self.appends_terms
        return _made_again, (self.lexicon, self._settings, self._encoder, self.plain, self._budget, terms)

    @classmethod
    def of(
        cls,
        collection: Collection,
        settings: RationaleSettings | None = None,
        encoder: Encoder | None = None,
        *,
        plain: bool = False,
    ) -> Inputs:
        """Return inputs whose lexicon holds the charges of a collection's law."""
        f_r = settings or RationaleSettings()
        descriptions = accepted(Path(f_r.descriptions)) if f_r.descriptions else NO_DESCRIPTIONS
        lexicon = charge_lexicon(collection.law, collection.language, f_r.definitions, descriptions)
        return cls(lexicon, settings, encoder, plain=plain)

    def fit_to(self, max_length: int, count: Count) -> None:
        """Limit rationales to what a model reads: their best sentences that have room in `max_length` tokens."""
        self._budget = max_length, count

    def _fitted(self, rationales: Sequence[Rationale]) -> list[str]:
        if self._budget is None:
            return [rationale.text() for rationale in rationales]
        return fitted_texts(rationales, *self._budget)

    def of_queries(self, texts: Sequence[str], progress: Progress = silent) -> list[str]:
        """Return the inputs of undecided cases: their rationales, unless there is no f_R."""
        if self.plain or self._extractor is None:
            read = list(texts)
        else:
            read = self._fitted(self._extractor.many(texts, progress=progress))
        return [self._with_terms(*pair) for pair in zip(texts, read, strict=True)]

    def rationale(self, text: str) -> Rationale:
        """Return what f_R extracts from an undecided case, with spans and scores."""
        return (self._extractor or Extractor(self.lexicon)).query(text)

    def of_query(self, text: str, rationale: Rationale) -> str:
        """Return the input of one undecided case whose rationale is known."""
        read = text if self.plain or self._extractor is None else self._fitted([rationale])[0]
        return self._with_terms(text, read)

    def terms(self, text: str) -> tuple[LegalTerm, ...]:
        """Return the legal terms for the everyday expressions in a query; none without a lexicon."""
        return self.legal_terms.found(text) if self.legal_terms else ()

    def _with_terms(self, text: str, read: str) -> str:
        """Return the input of a query, followed by the legal terms for its text."""
        terms = [found.term for found in self.terms(text)] if self.appends_terms else []
        return f"{read} {', '.join(terms)}" if terms else read

    def of_documents(
        self, documents: Sequence[Document], law: LawTree = NO_LAW, progress: Progress = silent
    ) -> list[str]:
        """Return the inputs of documents: rationales guided by their own charges.

        If `plain`, they are the masked facts, and an article follows the titles above it.
        """
        extractor = self._extractor
        if self.plain or extractor is None:
            return self._cached("documents", documents, lambda: self._plain_documents(documents, law))
        texts = map(_facts_and_reasoning, documents)
        charges = [document.charges for document in documents]
        return self._fitted(
            self._cached("documents", documents, lambda: extractor.many(list(texts), charges, progress))
        )

    def _plain_documents(self, documents: Sequence[Document], law: LawTree) -> list[str]:
        if not self.plain:
            return [_facts_and_reasoning(document, FACT_CHARACTERS) for document in documents]
        facts = zip(documents, self.masked_facts(documents), strict=True)
        return [_with_titles(one, law) if one.node in law else text for one, text in facts]

    def of_judgments_as_queries(self, documents: Sequence[Document], progress: Progress = silent) -> list[str]:
        """Return the inputs of decided cases read as undecided ones: facts only, charge names masked."""
        extractor = self._extractor
        if self.plain or extractor is None:
            return self._cached("queries", documents, lambda: self.masked_facts(documents))
        facts = partial(self.masked_facts, documents, None)
        return self._fitted(self._cached("queries", documents, lambda: extractor.many(facts(), progress=progress)))

    def _cached(self, kind: str, documents: Sequence[Document], make: Callable[[], list[Read]]) -> list[Read]:
        previous, made = self._cache.get(kind, ((), []))
        if len(previous) != len(documents) or any(old is not new for old, new in zip(previous, documents, strict=True)):
            self._cache[kind] = (tuple(documents), made := make())
        return list(made)

    def masked_facts(self, documents: Sequence[Document], characters: int | None = FACT_CHARACTERS) -> list[str]:
        """Return the facts, by default their beginning, with charge names masked.

        Prosecutors name charges, the texts of undecided cases do not.
        """
        book = shipped_charges()
        return [book.masked(_facts(document, characters)) for document in documents]


def _made_again(
    lexicon: Lexicon,
    settings: RationaleSettings | None,
    encoder: Encoder | None,
    plain: bool,
    budget: tuple[int, Count] | None,
    terms: tuple[LegalTerms | None, bool],
) -> Inputs:
    inputs = Inputs(lexicon, settings, encoder, plain=plain)
    inputs._budget, (inputs.legal_terms, inputs.appends_terms) = budget, terms
    return inputs


def _facts(document: Document, characters: int | None = None) -> str:
    return (document.sections.get("fact", "") or document.text)[:characters]


def _with_titles(article: Document, law: LawTree) -> str:
    above = " ".join(node.title for node in law.path(law[article.node])[:-1] if node.title)
    return f"{above}\n{article.text[:FACT_CHARACTERS]}"


def _facts_and_reasoning(document: Document, characters: int | None = None) -> str:
    if "fact" in document.sections:
        return f"{_facts(document, characters)}\n{document.sections.get('reasoning', '')}"
    return document.text
