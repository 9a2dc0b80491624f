"""Features that `lexgear` computes from its documents: word counts, centroids, concepts, vectors.

Training computes them, and so does adding or removing documents; only new documents are read. The same documents give
the same features, however segments divide them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.document_files import ids_of
from lexgear.corpus.records import Collection, Document
from lexgear.docids.ids import DocIds
from lexgear.docids.place_sets import LawSymbols, PlaceSets
from lexgear.law.tree import LawTree
from lexgear.lexical.counts import WordCounts, count_together
from lexgear.lexical.words import line_by_line, segmenter
from lexgear.progress import Progress, silent
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.lexgear.features.document_vectors import DocumentVectors
from lexgear.rankers.lexgear.features.law_centroids import LAW_TEXT_WEIGHT, LawCentroids, place_nodes
from lexgear.rankers.lexgear.features.law_statistics import Facts, LawIdf, LawStatistics
from lexgear.rankers.lexgear.features.past_questions import PastQuestions
from lexgear.rankers.lexgear.features.segment import FeatureSegment
from lexgear.rankers.lexgear.features.training_queries import TrainingQueries
from lexgear.rankers.reading import count_documents
from lexgear.rankers.words.bm25 import BM25
from lexgear.rankers.words.segment import WordSegment
from lexgear.rankers.words.word_ranker import COUNTING

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class DocumentWords:
    """Words and places of documents: counts of their text for BM25 and of their facts with charge names masked."""

    bm25: BM25
    facts: Facts
    """Word counts of the facts by position."""
    places: PlaceSets

    @classmethod
    def of(
        cls,
        collection: Collection,
        inputs: Inputs,
        barred: frozenset[str],
        places: PlaceSets,
        progress: Progress = silent,
    ) -> DocumentWords:
        """Count the words of all documents; the facts of barred documents are left out."""
        words, facts = read_words(collection, inputs, barred, progress)
        return cls(BM25().over([words]), lambda: facts, places)

    def without(self, positions: Sequence[int]) -> DocumentWords:
        """Return the same words without the facts of some documents."""
        facts = self.facts().without(positions)
        return replace(self, facts=lambda: facts)


@dataclass(frozen=True)
class LawWords:
    """Learnt words of the law: the idf of the training documents, and the texts of charges as cases."""

    idf: LawIdf
    texts: LawStatistics

    @classmethod
    def of(cls, law: LawTree, language: str, facts: WordCounts) -> LawWords:
        """Return the idf of the words in facts and texts of the law, and these texts by charge."""
        idf = LawIdf.of(facts, _charge_words(law, language))
        return cls(idf, law_texts(law, language, idf))


@dataclass(frozen=True)
class DocumentFeatures:
    """Features of all documents, by position; removed documents keep theirs until segments are merged."""

    segments: tuple[FeatureSegment, ...]
    law: LawWords
    bm25: BM25
    places: PlaceSets
    """Places of the law of each document; the leaves of the tree of IDs are such sets of places."""
    law_words: LawCentroids
    """Centroids of the cases at each place of the law."""
    past_questions: PastQuestions
    """Training queries that each document answered."""
    concepts: DocumentVectors
    """Unit vectors of latent concepts."""
    vectors: DocumentVectors
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
        """Compute all features of training documents but concepts and vectors, which are given."""
        facts = words.facts()
        law = LawWords.of(collection.law, collection.language, facts)
        given = np.zeros((len(collection.documents), 0), np.float32) if vectors is None else vectors
        segment = FeatureSegment.of(words.bm25.segments[0], facts, words.places, concepts, given, law.idf)
        return cls.over([segment], law, ids, queries, bm25=words.bm25)

    @classmethod
    def over(
        cls,
        segments: Sequence[FeatureSegment],
        law: LawWords,
        ids: DocIds,
        queries: TrainingQueries,
        bm25: BM25 | None = None,
    ) -> DocumentFeatures:
        """Derive what depends on all documents from the statistics of segments; `ids` are those of their places."""
        bm25 = bm25 or BM25().over([one.words for one in segments])
        statistics = LawStatistics.combined([*(part for one in segments for part in one.statistics()), (1, law.texts)])
        nodes = place_nodes(ids, statistics.places)
        return cls(
            tuple(segments),
            law,
            bm25,
            PlaceSets.merged([one.places for one in segments]),
            LawCentroids.of(nodes, ids.trie.node_count, statistics, law.idf),
            PastQuestions.of(bm25.index, queries.questions, bm25.documents, queries.vectors),
            DocumentVectors([one.concepts for one in segments]),
            DocumentVectors([one.vectors for one in segments]),
        )

    def with_vectors(self, vectors: Vectors) -> DocumentFeatures:
        """Return the features of training documents with other vectors of the encoder."""
        [segment] = self.segments
        return replace(self, segments=(replace(segment, vectors=vectors),), vectors=DocumentVectors([vectors]))

    @property
    def words(self) -> DocumentWords:
        """The words of training documents, which are in one segment."""
        [segment] = self.segments
        return DocumentWords(self.bm25, segment.facts, segment.places)

    def live(self) -> NDArray[np.bool_]:
        """Return a mask of the documents that were not removed."""
        mask = self.bm25.documents.live
        return np.ones(len(self.bm25.documents), np.bool_) if mask is None else mask


def law_texts(law: LawTree, language: str, idf: LawIdf) -> LawStatistics:
    """Return the statistics of each charge's name and definition as a case."""
    charges = law.of_kind("charge")
    places = PlaceSets(tuple((place.id,) for place in charges), np.arange(len(charges), dtype=np.int32))
    return LawStatistics.of(_charge_words(law, language), places, idf, LAW_TEXT_WEIGHT)


def _charge_words(law: LawTree, language: str) -> WordCounts:
    """Count the words of each charge's name and definition."""
    segment = segmenter(language)
    return WordCounts.of(segment(f"{place.number}。{place.text}") for place in law.of_kind("charge"))


def segment_ids(symbols: LawSymbols, segments: Sequence[FeatureSegment]) -> DocIds:
    """Return the IDs of the sets of places of segments; places whose documents were all removed are left out."""
    every = PlaceSets.merged([one.places for one in segments])
    live = PlaceSets.merged([one.places for one in segments], [one.words.live for one in segments])
    used = {place for places in live.sets for place in places}
    return symbols.ids([one if used.issuperset(one) else () for one in every.sets])


def read_words(
    collection: Collection, inputs: Inputs, barred: frozenset[str], progress: Progress = silent
) -> tuple[WordSegment, WordCounts]:
    """Count the words of each document's text, and those of its facts with charge names masked.

    The facts of barred documents have no words.
    """
    count = partial(_count, collection.law, collection.language, inputs, barred)
    counts, facts = count_documents(count, collection.documents, progress, COUNTING)
    return WordSegment.of(ids_of(collection.documents), counts, collection.language), facts


def _count(
    law: LawTree,
    language: str,
    inputs: Inputs,
    barred: frozenset[str],
    documents: Sequence[Document],
    progress: Progress,
) -> list[WordCounts]:
    """Count the words of each document's text and facts."""
    bm25 = BM25()

    def words() -> Iterator[tuple[list[str], list[str]]]:
        for done, document in enumerate(documents, start=1):
            # Facts are a part of the text, and few of their lines name a charge: all others are segmented once.
            segment = line_by_line(segmenter(language))
            text = segment(bm25.text_of(document, law))
            yield text, [] if document.id in barred else segment(*inputs.masked_facts([document]))
            progress(done, len(documents), COUNTING)

    return count_together(words(), 2)
