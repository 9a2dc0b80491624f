"""What `lexgear` works out from its documents, given all that it has learnt: the same for the same documents.

Training makes one, and so does adding or removing documents; only documents that stood on no shelf before are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Document
from lexgear.docids.ids import DocIds
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.words import segmenter
from lexgear.progress import Progress, silent
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.lexgear.concepts import Concepts
from lexgear.rankers.lexgear.incremental import Arrivals
from lexgear.rankers.lexgear.law_centroids import LawCentroids
from lexgear.rankers.lexgear.past_questions import Asked
from lexgear.rankers.lexgear.training_queries import Lessons
from lexgear.rankers.words.bm25 import BM25

FACTS, LAW, VECTORS, CONCEPTS = "facts.npz", "law-words.npz", "vectors.npy", "concept-vectors.npy"
Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[Document]], Vectors]
"""The encoder's unit vectors of documents, a row each."""


@dataclass(frozen=True)
class Words:
    """The words of documents: of what BM25 reads, and of their facts with the names of charges masked."""

    bm25: BM25
    facts: Callable[[], WordCounts]
    """By position; read from disk only when documents come or go."""

    @classmethod
    def of(cls, collection: Collection, inputs: Inputs, barred: frozenset[str], progress: Progress = silent) -> Words:
        """Reads all documents; the facts of those that are barred teach nothing and are not read."""
        bm25 = BM25().counted(collection, progress)
        facts = WordCounts.of(_facts(collection.documents, inputs, barred, collection.language, progress))
        return cls(bm25, lambda: facts)

    def grown(
        self, collection: Collection, inputs: Inputs, barred: frozenset[str], progress: Progress = silent
    ) -> Words:
        """The words of other documents; only those not among these are read."""
        new, order = Arrivals.of(self.bm25.documents, collection.documents)
        facts = self.facts().with_texts(_facts(new, inputs, barred, collection.language, progress)).rows(order)
        return Words(self.bm25.grown(collection, progress), lambda: facts)

    def without(self, places: Sequence[int]) -> Words:
        """The same, the facts of some documents unread."""
        facts = self.facts().without(places)
        return Words(self.bm25, lambda: facts)


@dataclass(frozen=True)
class Shelf:
    """The documents of an index as `lexgear` looks at them, by position."""

    words: Words
    law_words: LawCentroids
    """What was decided at each place of the law."""
    asked: Asked
    """Which training queries each document answered."""
    concepts: Vectors
    """What each document is about, as a unit vector."""
    vectors: Vectors
    """What the encoder makes of each; of no width where there is no encoder to ask."""

    @classmethod
    def of(
        cls,
        collection: Collection,
        ids: DocIds,
        words: Words,
        lessons: Lessons,
        concepts: Vectors,
        vectors: Vectors | None = None,
    ) -> Shelf:
        """Works out all but the vectors."""
        law = _law_texts(collection, ids)
        return cls(
            words,
            LawCentroids.of(ids.trie, words.facts(), law),
            Asked.of(words.bm25.weights, lessons.questions, words.bm25.documents),
            concepts,
            np.zeros((len(collection.documents), 0), np.float32) if vectors is None else vectors,
        )

    @property
    def bm25(self) -> BM25:
        """Words of documents, weighed."""
        return self.words.bm25

    def vectors_of(self, documents: Sequence[Document], encode: Encode) -> Vectors:
        """The vectors of other documents; only those not on this shelf are encoded."""
        new, order = Arrivals.of(self.bm25.documents, documents)
        return np.concatenate([self.vectors, encode(new)])[order] if new else self.vectors[order]

    def concepts_of(self, documents: Sequence[Document], words: Words, known: Concepts) -> Vectors:
        """What other documents are about, given their words; only those not on this shelf are looked at."""
        new, order = Arrivals.of(self.bm25.documents, documents)
        place = {document.id: at for at, document in enumerate(documents)}
        counts = words.bm25.counts.rows([place[document.id] for document in new])
        return np.concatenate([self.concepts, known.vectors(counts)])[order]

    def save(self, directory: Path) -> None:
        """Writes its parts; vectors in half precision, which keeps all their digits (`model/encoding.py`)."""
        self.bm25.save(directory)
        self.words.facts().save(directory / FACTS)
        self.law_words.save(directory / LAW)
        np.save(directory / VECTORS, self.vectors.astype(np.float16), allow_pickle=False)
        np.save(directory / CONCEPTS, self.concepts.astype(np.float16), allow_pickle=False)

    @classmethod
    def load(cls, directory: Path, lessons: Lessons) -> Shelf:
        """What `save` wrote; what training queries say is worked out again."""
        bm25 = BM25.load(directory, BM25.settings_type())
        words = Words(bm25, cache(lambda: WordCounts.load(directory / FACTS)[0]))
        asked = Asked.of(bm25.weights, lessons.questions, bm25.documents)
        vectors = [np.load(directory / name, allow_pickle=False).astype(np.float32) for name in (CONCEPTS, VECTORS)]
        return cls(words, LawCentroids.load(directory / LAW), asked, *vectors)


def _facts(
    documents: Sequence[Document], inputs: Inputs, barred: frozenset[str], language: str, progress: Progress
) -> Iterator[list[str]]:
    """The words of each document's facts; none of those that are barred."""
    cut = segmenter(language)
    for done, document in enumerate(documents, start=1):
        yield [] if document.id in barred else cut(*inputs.masked_facts([document]))
        progress(done, len(documents), "reading facts")


def _law_texts(collection: Collection, ids: DocIds) -> dict[int, list[str]]:
    """The words of each charge's name and definition, by trie node."""
    cut = segmenter(collection.language)
    nodes = {node: collection.law[ids.node_name(node)] for node in ids.nodes_of("charge").tolist()}
    return {node: cut(f"{place.number}。{place.text}") for node, place in nodes.items()}
