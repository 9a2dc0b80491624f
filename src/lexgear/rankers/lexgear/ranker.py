"""The ranker `lexgear`: the law, rationale and generator of `gear`, with hybrid leaves and exact search.

A document's score is w · log Σ P(charge) over its IDs + s(query, document), where s adds words, concepts, vector
similarity and past questions. There is no softmax over documents, so a document is not penalised for standing under a
charge with many cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.docids.place_sets import LawSymbols, PlaceSets
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory
from lexgear.lexical.words import written_in
from lexgear.model.generator.generator import Generator
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker, ScoredId
from lexgear.rankers.document_ids import DocumentIds
from lexgear.rankers.explanation import Explanation
from lexgear.rankers.generative.generator_parts import GeneratorParts, base_named
from lexgear.rankers.incremental import new_and_known
from lexgear.rankers.lexgear.adaptation.fine_tuning import Tune, tuned
from lexgear.rankers.lexgear.best_documents import FoundDocuments, Shards, best_of_sets, charges_of_sets
from lexgear.rankers.lexgear.explained_hits import explained_hits
from lexgear.rankers.lexgear.features.concepts import Concepts
from lexgear.rankers.lexgear.features.document_features import (
    DocumentFeatures,
    DocumentWords,
    read_words,
    segment_ids,
)
from lexgear.rankers.lexgear.features.legal_terms import lexicon_for
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.features.segment import FeatureSegment
from lexgear.rankers.lexgear.features.training_queries import TrainingQueries
from lexgear.rankers.lexgear.inference import Inference
from lexgear.rankers.lexgear.settings import FULL, LexgearSettings
from lexgear.rankers.lexgear.storage import load_segments, save_learnt
from lexgear.rankers.lexgear.training import learn_all_weights, train_generator, training_features
from lexgear.rankers.lexgear.weighting.held_out import HeldOutJudgments
from lexgear.rankers.lexgear.weighting.weights import LeafScores, Weights
from lexgear.rankers.scope import Scope
from lexgear.rankers.segmented import SegmentDirectory, SegmentedRanker
from lexgear.rankers.training_run import TrainingRun
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import Rationale
from lexgear.search.scorer import DECIMALS, LogP, Result
from lexgear.training.query_split import never_train_on


class Lexgear(SegmentedRanker, Ranker):
    """Charges, words and content in one exact walk down the law."""

    name = "lexgear"
    settings_type = LexgearSettings
    settings: LexgearSettings
    ranks_by_charges: ClassVar[bool] = True
    """True if log P(charge) is a part of the score."""
    training: TrainingRun
    inference: Inference
    training_queries: TrainingQueries
    shards: Shards | None = None
    """The shards that score the documents, if other processes hold them."""
    symbols: LawSymbols
    """Symbols of all places of the law where a document can stand."""

    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self.training = TrainingRun(self.settings.training)
        self.parts = GeneratorParts(self.settings, reads_facts=True, summary=True)
        self.tune: Tune = tuned
        """Fine-tunes the encoder for `adapt=full`; replace it to do so on another machine."""
        self.held_out = HeldOutJudgments()

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Train the generator if there are epochs, learn the weights on held-out queries, compute all features."""
        trains, self.held_out = self.settings.training.epochs > 0, HeldOutJudgments()
        documents, split = collection.documents, self.training.split(collection, learns_weights=trains)
        parts = self.parts
        self.symbols = LawSymbols.of(collection.law)
        places = PlaceSets.of(documents, collection.law)
        parts.ids = self.symbols.ids(places.sets)
        read = documents if trains else ()
        as_queries, backbone = parts.start(
            collection, lambda inputs: inputs.of_judgments_as_queries(read, progress), self.training.notes
        )
        parts.build_generator(backbone)
        parts.inputs.legal_terms = lexicon_for(parts, self.settings)
        parts.inputs.appends_terms = not any(self.knows(query.text) for query in split.learnt)
        words = DocumentWords.of(collection, parts.inputs, never_train_on(collection), places, progress)
        if not self.generator_knows_law and words.bm25.index.empty:
            raise InputError(
                f"no document of {collection.name} has a text to search in", code=ErrorCode.NOTHING_TO_LEARN
            )
        progress(0, 1, "learning concepts")
        counts = words.bm25.segments[0].counted.counts
        concepts = Concepts.of(counts)
        concept_vectors = concepts.vectors(counts)
        encodes_later = trains or self.settings.adapt == FULL
        vectors = None if encodes_later else parts.document_vectors(documents, collection.law, progress)
        self.inference = Inference(
            parts,
            Weights(),
            concepts,
            training_features(self, collection, split, words, concept_vectors, vectors),
            parts.base.charge_words if parts.base and self.generator_knows_law else None,
            # The classifier reads the vectors of the base model's encoder, not of one that is trained further.
            matters=parts.base.matters if parts.base and self.generator_knows_law and not encodes_later else None,
        )
        if trains:
            train_generator(self, collection, split, as_queries, progress)
        learn_all_weights(self, collection, split, words, progress)
        return self

    def reads_documents_in_order(self) -> bool:
        """Return True unless a model is trained on the documents."""
        return not self.settings.training.epochs and self.settings.adapt != FULL

    def can_update_queries(self) -> bool:
        """Return True: without epochs no document is read again."""
        return True

    def _with_queries(self, collection: Collection, progress: Progress) -> Self:
        """Return a ranker over the same documents with weights learnt from other training queries.

        With epochs the whole ranker is trained again. Otherwise no document is read again, unless `adapt=full` encodes
        all of them with an encoder tuned on these queries.
        """
        tunes, base = self.settings.adapt == FULL, self.parts.base
        base = base or base_named(self.settings.backbone, collection.language)
        if self.settings.training.epochs or (tunes and base is None):
            return super()._with_queries(collection, progress)
        other, features = self.copied(), self.inference.features
        other.tune, other.parts.base, other.inference.query_matrix = self.tune, base, None
        if tunes and base:
            other.parts.build_generator(base.backbone)
        else:
            other.held_out = self.held_out
        split = other.training.split(collection)
        vectors = None if tunes else features.vectors.whole
        other.inference.features = training_features(
            other, collection, split, features.words, features.concepts.whole, vectors
        )
        learn_all_weights(other, collection, split, features.words, progress)
        return other

    @property
    def segments(self) -> tuple[FeatureSegment, ...]:  # type: ignore[override]
        """The features of the documents."""
        return self.inference.features.segments

    @property
    def documents(self) -> DocumentIds:
        """The ids of the documents of all segments, removed or not."""
        return self.inference.features.bm25.documents

    def _read_segment(self, collection: Collection, progress: Progress) -> FeatureSegment:
        """Compute the features of new documents under the same law."""
        documents, features = collection.documents, self.inference.features
        words, facts = read_words(collection, self.parts.inputs, self.training_queries.barred, progress)
        return FeatureSegment.of(
            words,
            facts,
            PlaceSets.of(documents, collection.law),
            self.inference.concepts.vectors(words.counted.counts),
            self.parts.document_vectors(documents, collection.law, progress),
            features.law.idf,
        )

    def with_segments(self, segments: Sequence[FeatureSegment], progress: Progress = silent) -> Self:
        """Return this ranker over other segments."""
        other, law = self.copied(), self.inference.features.law
        other.parts.ids = segment_ids(self.symbols, segments)
        other.inference.features = DocumentFeatures.over(segments, law, other.parts.ids, self.training_queries)
        return other

    def _with_documents(self, collection: Collection, progress: Progress) -> Self:
        """Return this ranker over other documents under the same law, in one segment; only new ones are read."""
        known = self.compacted()
        new, order = new_and_known(known.ids, collection.documents)
        both = [known, *([self._read_segment(replace(collection, documents=tuple(new)), progress)] if new else [])]
        return self.with_segments([FeatureSegment.merged(both).rows(order)])

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        results: list[list[ScoredId]] = []
        for query in queries:
            found = self._find(query, self.inference.read(query.text), k, scope).hits
            results.append([ScoredId(self.documents[position], score) for position, score in found])
            progress(len(results), len(queries))
        return results

    def _search_explained(self, query: Query, k: int, scope: Scope) -> list[tuple[ScoredId, Explanation | None]]:
        features = self.inference.read(query.text)
        return explained_hits(self, features, self._find(query, features, k, scope))

    def can_judge(self) -> bool:
        """Return True."""
        return True

    def charge_predictor(self) -> Inference:
        """Return the model that predicts charges."""
        return self.inference

    def _rationale(self, text: str) -> Rationale:
        """Return what f_R extracts from a text."""
        return self.parts.inputs.rationale(text)

    def lexicon(self) -> Lexicon:
        """Return the lexicon of f_R."""
        return self.parts.inputs.lexicon

    def indexing_accuracy(self, collection: Collection, max_documents: int = 200) -> float:
        """Return the share of up to `max_documents` evenly spaced documents that come first for their own text."""
        positions = np.unique(np.linspace(0, len(collection.documents) - 1, max_documents).round().astype(int)).tolist()
        documents = self.names.collection(collection).documents
        chosen = [documents[position] for position in positions]
        texts = self.parts.inputs.of_documents(chosen, collection.law)
        results = self.search([Query("", text) for text in texts], 1)
        right = [bool(hits) and hits[0].document == one.id for hits, one in zip(results, chosen, strict=True)]
        return float(np.mean(right))

    def close(self) -> None:
        """End the shards, if other processes hold the documents."""
        if self.shards is not None:
            self.shards.close()

    def word_rarity(self, word: str) -> float:
        """Return the BM25 weight of a word by its rarity."""
        return self.inference.features.bm25.word_rarity(word)

    def encodes(self, *, judges: bool, ranks: bool) -> bool:
        """Return whether the encoder reads a text to judge it or to rank documents for it."""
        weights = self.inference.weights
        needed = (judges and weights.generator > 0) or (ranks and self.inference.ranks_by_vectors)
        return self.parts.has_generator and needed

    def with_generator(self, wrap: Callable[[Generator], Generator]) -> Self:
        """Return a copy whose generator is wrapped, for example to cache what the encoder reads."""
        other = self.copied()
        if other.parts.has_generator:
            other.parts.generator = wrap(other.parts.generator)
        return other

    def _encoder_inputs(self, texts: Sequence[str]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Return token numbers and mask of each text as the encoder reads it."""
        return [self.parts.encode([text]) for text in self.parts.inputs.of_queries(texts)]

    def generator(self) -> Generator | None:
        """Return the generator, if there is one."""
        return self.parts.generator if self.parts.has_generator else None

    def knows(self, text: str) -> bool:
        """Return whether the base model was trained on a text."""
        return self.parts.base is not None and self.parts.base.knows(text)

    @property
    def generator_knows_law(self) -> bool:
        """True if the generator was trained on this law."""
        base = self.parts.base
        return self.settings.training.epochs > 0 or (base is not None and base.knows_law(self.parts.ids))

    def _leaf_scores(self, features: QueryFeatures) -> LeafScores:
        return self.inference.leaf_scores(features, vectors=self.inference.ranks_by_vectors)

    def _find(self, query: Query, features: QueryFeatures, k: int, scope: Scope) -> FoundDocuments:
        """Return the k best documents, of this process or of the shards."""
        if self.shards is not None:
            return self.shards.find(self, query, features, k, scope)
        leaves = self._leaf_scores(features)
        result = self._best(query, features, leaves, k, scope)
        return FoundDocuments(result.hits, result.log_p, leaves.of(np.array([at for at, _ in result.hits], np.int64)))

    def _best(self, query: Query, features: QueryFeatures, leaves: LeafScores, k: int, scope: Scope) -> Result:
        """Return the k best documents by w · (log Σ P + s / w).

        Documents that share all their places share log Σ P: the search looks for their sets first (`grouped.py`).
        """
        inference, places = self.inference, self.inference.features.places
        scores = leaves.combined(inference.weights) / inference.weights.charge
        scores[~self._allowed(query, features, leaves, scope)] = -np.inf
        walk, trie = inference.walk(features), self.parts.ids.trie
        found = charges_of_sets(trie, walk, k, places.best(scores), lambda one: scores[places.documents(one)])
        hits = best_of_sets(self.documents, places, scores, found.charges, k)
        return Result(self.weighted(hits), found.expanded, found.log_p)

    def weighted(self, hits: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
        """Return hits with their scores multiplied by w."""
        return [(at, round(self.inference.weights.charge * score, DECIMALS)) for at, score in hits]

    def _allowed(self, query: Query, features: QueryFeatures, leaves: LeafScores, scope: Scope) -> NDArray[np.bool_]:
        """Return which documents may be found."""
        permitted = self.documents.permitted(scope.allowed(query), scope.left_out(query))
        return permitted & self.can_find(features, has_words=bool(leaves.words.any() or leaves.legal_terms.any()))

    def can_find(self, features: QueryFeatures, *, has_words: bool) -> bool:
        """Return whether a query finds anything.

        A query that shares no word with any document finds nothing, unless it is ranked by its vector and written in
        their language.
        """
        language = self.parts.inputs.lexicon.language
        encoded = self.inference.ranks_by_vectors and written_in(language, " ".join(features.words))
        return encoded or has_words or self.inference.features.bm25.index.empty

    def charge_score(self, log_p: LogP) -> float:
        """Return what the charges of a document add to its score, from log P of each."""
        return self.inference.weights.charge * float(np.logaddexp.reduce(log_p))

    def save_learnt(self, directory: PartsDirectory) -> None:
        """Write the generator's parts, training queries, weights and what was learnt of the law's words."""
        save_learnt(self, directory)

    @classmethod
    def load_segments(cls, directory: PartsDirectory, segments: Sequence[SegmentDirectory], settings: Any) -> Self:
        """Read the ranker over segments."""
        ranker = cls(settings)
        load_segments(ranker, directory, segments)
        return ranker

    @classmethod
    def beside(cls, trained: Lexgear) -> Self:
        """Return a ranker that shares everything learnt with a trained one, but whose parts can be replaced."""
        other = cls(trained.settings)
        other.names, other.parts = trained.names, copy(trained.parts)
        other.inference = replace(trained.inference, parts=other.parts)
        other.training_queries, other.symbols = trained.training_queries, trained.symbols
        other.shards = trained.shards
        return other

    def copied(self) -> Self:
        """Return a ranker that shares everything learnt with this one, but whose parts can be replaced."""
        return self.beside(self)
