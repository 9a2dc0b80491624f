"""Features that `lexgear` computes from its documents: word counts, centroids, concepts, vectors.

Training computes them, and so does adding or removing documents; only new documents are read. The same documents give
the same features.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Document
from lexgear.docids.ids import DocIds
from lexgear.files import PartsDirectory
from lexgear.lexical.counts import WordCounts
from lexgear.lexical.words import segmenter
from lexgear.progress import Progress, silent
from lexgear.rankers.incremental import new_and_known
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.lexgear.features.concepts import Concepts
from lexgear.rankers.lexgear.features.law_centroids import LawCentroids
from lexgear.rankers.lexgear.features.past_questions import PastQuestions
from lexgear.rankers.lexgear.features.training_queries import TrainingQueries
from lexgear.rankers.words.bm25 import BM25

FACTS, LAW, VECTORS, CONCEPTS = "facts.npz", "law-words.npz", "vectors.npy", "concept-vectors.npy"
Vectors = NDArray[np.float32]
Encode = Callable[[Sequence[Document]], Vectors]
"""Function from documents to the encoder's unit vectors, one row per document."""


@dataclass(frozen=True)
class DocumentWords:
    """Word counts of documents: of their text for BM25, and of their facts with charge names masked."""

    bm25: BM25
    facts: Callable[[], WordCounts]
    """Word counts of the facts by position; read from disk only when documents are added or removed."""

    @classmethod
    def of(
        cls, collection: Collection, inputs: Inputs, barred: frozenset[str], progress: Progress = silent
    ) -> DocumentWords:
        """Count the words of all documents; the facts of barred documents are left out."""
        bm25 = BM25().count(collection, progress)
        facts = WordCounts.of(_facts(collection.documents, inputs, barred, collection.language, progress))
        return cls(bm25, lambda: facts)

    def with_documents(
        self, collection: Collection, inputs: Inputs, barred: frozenset[str], progress: Progress = silent
    ) -> DocumentWords:
        """Return the words of other documents; only new documents are read."""
        new, order = new_and_known(self.bm25.documents, collection.documents)
        facts = self.facts().with_texts(_facts(new, inputs, barred, collection.language, progress)).rows(order)
        return DocumentWords(self.bm25._with_documents(collection, progress), lambda: facts)

    def without(self, positions: Sequence[int]) -> DocumentWords:
        """Return the same words without the facts of some documents."""
        facts = self.facts().without(positions)
        return DocumentWords(self.bm25, lambda: facts)


@dataclass(frozen=True)
class DocumentFeatures:
    """Features of all documents, by position."""

    words: DocumentWords
    law_words: LawCentroids
    """Centroids of the cases at each place of the law."""
    past_questions: PastQuestions
    """Training queries that each document answered."""
    concepts: Vectors
    """Unit vectors of latent concepts."""
    vectors: Vectors
    """The encoder's unit vectors; of width 0 if there is no encoder."""

    @classmethod
    def of(
        cls,
        collection: Collection,
        ids: DocIds,
        words: DocumentWords,
        queries: TrainingQueries,
        concepts: Vectors,
        vectors: Vectors | None = None,
    ) -> DocumentFeatures:
        """Compute all features but concepts and vectors, which are given."""
        law = _law_texts(collection, ids)
        return cls(
            words,
            LawCentroids.of(ids.trie, words.facts(), law),
            PastQuestions.of(words.bm25.weights, queries.questions, words.bm25.documents, queries.vectors),
            concepts,
            np.zeros((len(collection.documents), 0), np.float32) if vectors is None else vectors,
        )

    @property
    def bm25(self) -> BM25:
        """BM25 over the documents."""
        return self.words.bm25

    def vectors_of(self, documents: Sequence[Document], encode: Encode) -> Vectors:
        """Return the vectors of other documents; only new documents are encoded."""
        new, order = new_and_known(self.bm25.documents, documents)
        return np.concatenate([self.vectors, encode(new)])[order] if new else self.vectors[order]

    def concepts_of(self, documents: Sequence[Document], words: DocumentWords, known: Concepts) -> Vectors:
        """Return the concept vectors of other documents, given their words; only new ones are computed."""
        new, order = new_and_known(self.bm25.documents, documents)
        position = {document.id: at for at, document in enumerate(documents)}
        counts = words.bm25.counts.rows([position[document.id] for document in new])
        return np.concatenate([self.concepts, known.vectors(counts)])[order]

    def save(self, directory: PartsDirectory) -> None:
        """Write the parts; vectors were rounded to half precision when they were made."""
        self.bm25.save(directory)
        self.words.facts().save(directory / FACTS)
        self.law_words.save(directory / LAW)
        np.save(directory / VECTORS, self.vectors.astype(np.float16), allow_pickle=False)
        np.save(directory / CONCEPTS, self.concepts.astype(np.float16), allow_pickle=False)

    @classmethod
    def load(cls, directory: PartsDirectory, queries: TrainingQueries) -> DocumentFeatures:
        """Read what `save` wrote; scores of past questions are computed again."""
        bm25 = BM25.load(directory, BM25.settings_type())
        words = DocumentWords(bm25, cache(lambda: WordCounts.load(directory / FACTS)[0]))
        past_questions = PastQuestions.of(bm25.weights, queries.questions, bm25.documents, queries.vectors)
        vectors = [np.load(directory / name, allow_pickle=False).astype(np.float32) for name in (CONCEPTS, VECTORS)]
        return cls(words, LawCentroids.load(directory / LAW), past_questions, *vectors)


def _facts(
    documents: Sequence[Document], inputs: Inputs, barred: frozenset[str], language: str, progress: Progress
) -> Iterator[list[str]]:
    """Yield the words of each document's facts; nothing for barred documents."""
    segment = segmenter(language)
    for done, document in enumerate(documents, start=1):
        yield [] if document.id in barred else segment(*inputs.masked_facts([document]))
        progress(done, len(documents), "reading facts")


def _law_texts(collection: Collection, ids: DocIds) -> dict[int, list[str]]:
    """Return the words of each charge's name and definition, by trie node."""
    segment = segmenter(collection.language)
    nodes = {node: collection.law[ids.node_name(node)] for node in ids.nodes_of("charge").tolist()}
    return {node: segment(f"{place.number}。{place.text}") for node, place in nodes.items()}
