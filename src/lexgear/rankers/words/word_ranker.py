"""The common part of rankers over words: counting the words of documents, and one file of plain arrays on disk."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Document, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory
from lexgear.law.tree import LawTree
from lexgear.lexical.array_files import pack_strings, unpack_strings
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.fields import searchable_text
from lexgear.lexical.sparse import SparseWeights
from lexgear.lexical.words import Segmenter, segmenter
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.rankers.document_ids import DocumentIds, search_by_scores
from lexgear.rankers.explanation import Explanation, shared_words
from lexgear.rankers.incremental import new_and_known
from lexgear.rankers.scope import Scope
from lexgear.settings import within

PART = "words.npz"


@dataclass(frozen=True, slots=True)
class WordSettings:
    """Settings of every ranker over words."""

    fact_characters: int = 3000
    """Characters of a judgment's facts that are read."""
    headings: bool = True
    """Read a statutory article with the titles of the law, part, chapter … above it."""
    names: bool = False
    """Read person names; otherwise every name is the same placeholder."""

    def __post_init__(self) -> None:
        within("fact_characters", self.fact_characters, 0)


class WordRanker(Ranker):
    """A ranker over the words of the documents; subclasses define the weight of a word and the score of a document."""

    settings_type: ClassVar[type[WordSettings]]
    documents: DocumentIds
    counts: WordCounts
    weights: SparseWeights
    """Computed from the counts, never stored."""
    language: str

    @abstractmethod
    def compute_weights(self, counts: WordCounts) -> SparseWeights:
        """Return the weight of every word in every document."""

    @abstractmethod
    def scores(self, query: Query) -> NDArray[Any]:
        """Return the score of each document by position; minus infinity if it shares no word with the query."""

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Count the words of the documents and weigh them."""
        if not self.count(collection, progress).counts.words:
            raise InputError(
                f"no document of {collection.name} has a text to search in", code=ErrorCode.NOTHING_TO_LEARN
            )
        return self

    def keeps_names(self) -> bool:
        """Return the setting `names`."""
        settings: WordSettings = self.settings
        return settings.names

    def count(self, collection: Collection, progress: Progress = silent) -> Self:
        """Do what `fit` does, but allow documents without any word."""
        self.language, self.documents = collection.language, DocumentIds()
        return self._over(collection, WordCounts.of([]), progress)

    def can_grow(self) -> bool:
        """Return True."""
        return True

    def _with_documents(self, collection: Collection, progress: Progress) -> Self:
        """Return this ranker over other documents; only new ones are segmented."""
        other = type(self)(self.settings)
        other.language, other.documents = self.language, self.documents
        return other._over(collection, self.counts, progress)

    def _over(self, collection: Collection, counted: WordCounts, progress: Progress) -> Self:
        """Set the documents of a collection, given the counts of `self.documents`."""
        new, order = new_and_known(self.documents, collection.documents)
        texts = []
        for done, document in enumerate(new, start=1):
            texts.append(self.segment(self._text(document, collection.law)))
            progress(done, len(new), "counting words")
        self.documents = DocumentIds(document.id for document in collection.documents)
        self.counts = counted.with_texts(texts).rows(order)
        self.weights = self.compute_weights(self.counts)
        return self

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        return search_by_scores(self.documents, self.scores, queries, k, scope, progress)

    def _search_explained(self, query: Query, k: int, scope: Scope) -> list[tuple[ScoredId, Explanation | None]]:
        [hits] = self._search([query], k, scope, silent)
        found = shared_words(
            self.weights, self.segment(query.text), [self.documents.position(hit.document) for hit in hits]
        )
        return [(hit, Explanation(0.0, 0.0, hit.score, shared=words)) for hit, words in zip(hits, found, strict=True)]

    def word_rarity(self, word: str) -> float:
        """Return the weight of a word by its rarity."""
        return self.weights.idf(word)

    @property
    def segment(self) -> Segmenter:
        """The function that cuts a text of the collection's language into words."""
        return segmenter(self.language)

    def _text(self, document: Document, law: LawTree) -> str:
        above = ""
        if self.settings.headings and document.node in law:
            above = " ".join(node.title for node in law.path(law[document.node])[:-1])
        return searchable_text(document, self.settings.fact_characters, above)

    def save(self, directory: PartsDirectory) -> None:
        """Write the arrays into one file."""
        self.counts.save(directory / PART, ids=pack_strings(self.documents), language=pack_strings([self.language]))

    @classmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote."""
        ranker = cls(settings)
        ranker.counts, own = WordCounts.load(directory / PART)
        ranker.documents, ranker.language = DocumentIds(unpack_strings(own["ids"])), unpack_strings(own["language"])[0]
        ranker.weights = ranker.compute_weights(ranker.counts)
        return ranker
