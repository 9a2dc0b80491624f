"""What the rankers over words share: cutting the texts, and one file of plain arrays on disk."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from lexgear.corpus.records import Collection, Document, Query
from lexgear.errors import InputError
from lexgear.law.tree import LawTree
from lexgear.lexical.array_files import pack_strings, unpack_strings
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.fields import searchable_text
from lexgear.lexical.sparse import SparseWeights
from lexgear.lexical.words import Segmenter, segmenter
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, ScoredId, ScoringRanker
from lexgear.rankers.explanation import Explanation, shared_words
from lexgear.rankers.lexgear.incremental import Arrivals
from lexgear.rankers.scope import Scope
from lexgear.settings import within

PART = "words.npz"


@dataclass(frozen=True, slots=True)
class WordSettings:
    """Settings of every ranker over words."""

    fact_characters: int = 3000
    """How much of a judgment's facts is read."""
    headings: bool = True
    """Whether a statutory article is read with the titles of the law, part, chapter … above it."""

    def __post_init__(self) -> None:
        within("fact_characters", self.fact_characters, 0)


class WordRanker(ScoringRanker):
    """A ranker over the words of the documents; subclasses say what a word weighs."""

    settings_type: ClassVar[type[WordSettings]]
    counts: WordCounts
    weights: SparseWeights
    """Worked out from the counts, never stored."""
    language: str

    @abstractmethod
    def weigh(self, counts: WordCounts) -> SparseWeights:
        """The weights of every word in every document, from how often it stands there."""

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Cuts the documents into words and weighs them."""
        if not self.counted(collection, progress).counts.words:
            raise InputError(f"no document of {collection.name} has a text to search in")
        return self

    def counted(self, collection: Collection, progress: Progress = silent) -> Self:
        """`fit` for those who know more of documents than their words: there may be none."""
        self.language, self.documents = collection.language, ()
        return self._over(collection, WordCounts.of([]), progress)

    def grown(self, collection: Collection, progress: Progress = silent) -> Self:
        """The same over other documents; only those it has not counted before are cut into words."""
        other = type(self)(self.settings)
        other.language, other.documents = self.language, self.documents
        return other._over(collection, self.counts, progress)

    def _over(self, collection: Collection, counted: WordCounts, progress: Progress) -> Self:
        """This ranker over a collection, given the counts of `self.documents`."""
        new, order = Arrivals.of(self.documents, collection.documents)
        texts = []
        for done, document in enumerate(new, start=1):
            texts.append(self.segment(self._text(document, collection.law)))
            progress(done, len(new), "counting words")
        self.documents = tuple(document.id for document in collection.documents)
        self.counts = counted.with_texts(texts).rows(order)
        self.weights = self.weigh(self.counts)
        return self

    def explained(self, query: Query, k: int, scope: Scope = EVERYTHING) -> list[tuple[ScoredId, Explanation | None]]:
        """The hits with the words that weigh most in each: words are all there is."""
        words, position = self.segment(query.text), self._position
        return [
            (hit, Explanation(0.0, 0.0, hit.score, shared=shared_words(self.weights, words, position[hit.document])))
            for hit in self.search([query], k, scope)[0]
        ]

    @property
    def segment(self) -> Segmenter:
        """The words of a text in the collection's language."""
        return segmenter(self.language)

    def _text(self, document: Document, law: LawTree) -> str:
        above = ""
        if self.settings.headings and document.node in law:
            above = " ".join(node.title for node in law.path(law[document.node])[:-1])
        return searchable_text(document, self.settings.fact_characters, above)

    def save(self, directory: Path) -> None:
        """Writes the arrays into one file."""
        self.counts.save(directory / PART, ids=pack_strings(self.documents), language=pack_strings([self.language]))

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        ranker = cls(settings)
        ranker.counts, own = WordCounts.load(directory / PART)
        ranker.documents, ranker.language = tuple(unpack_strings(own["ids"])), unpack_strings(own["language"])[0]
        ranker.weights = ranker.weigh(ranker.counts)
        return ranker
