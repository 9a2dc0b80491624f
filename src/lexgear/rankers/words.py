"""What the rankers over words share: cutting the texts, and one file of plain arrays on disk."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Document, Query
from lexgear.errors import InputError
from lexgear.law.tree import LawTree
from lexgear.lexical.fields import searchable_text
from lexgear.lexical.sparse import SparseWeights, packed, unpacked
from lexgear.lexical.words import Segmenter, segmenter
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, Hit, ScoringRanker
from lexgear.rankers.explanation import Explanation, shared_words
from lexgear.rankers.limits import within
from lexgear.rankers.scope import Scope

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
    weights: SparseWeights
    lengths: NDArray[np.int64]
    language: str

    @abstractmethod
    def weigh(self, texts: list[list[str]]) -> SparseWeights:
        """The weights of every word in every document, from the words of each."""

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Cuts the documents into words and weighs them."""
        self.language = collection.language
        texts = []
        for done, document in enumerate(collection.documents):
            progress(done, len(collection.documents))
            texts.append(self.segment(self._text(document, collection.law)))
        if not any(texts):
            raise InputError(f"no document of {collection.name} has a text to search in")
        self.documents = tuple(document.id for document in collection.documents)
        self.weights = self.weigh(texts)
        self.lengths = np.array([len(text) for text in texts])
        progress(len(texts), len(texts))
        return self

    def explained(self, query: Query, k: int, scope: Scope = EVERYTHING) -> list[tuple[Hit, Explanation | None]]:
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
        self.weights.save(
            directory / PART,
            ids=packed(self.documents),
            lengths=self.lengths,
            language=packed([self.language]),
        )

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        ranker = cls(settings)
        ranker.weights, own = SparseWeights.load(directory / PART)
        ranker.documents = tuple(unpacked(own["ids"]))
        ranker.lengths, ranker.language = own["lengths"], unpacked(own["language"])[0]
        return ranker
