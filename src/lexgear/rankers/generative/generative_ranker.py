"""The common part of rankers that generate document IDs: training, search down the tree, scores of documents."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.docids.ids import DocIds
from lexgear.docids.kmeans import kmeans_ids
from lexgear.docids.vectors import word_vectors
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.cuda_graph import MAX_NODES, PrecomputedWalk
from lexgear.model.generator.generator import Generator
from lexgear.model.generator.walk import ModelWalk
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, Ranker, ScoredId
from lexgear.rankers.explanation import Explanation, explain_generated
from lexgear.rankers.generative.generator_parts import GeneratorParts
from lexgear.rankers.generative.query_writer import QueryWriter
from lexgear.rankers.generative.training_task import TrainingTask
from lexgear.rankers.scope import Scope
from lexgear.rankers.training_run import TrainingRun, validation_mrr
from lexgear.rationale.lexicon import Lexicon
from lexgear.rationale.records import Rationale
from lexgear.search.beam import beam_search, documents_of_beams
from lexgear.search.exact import best_documents
from lexgear.search.pruned import PrunedWalk
from lexgear.search.scorer import Result, Walk
from lexgear.training.batch_gradients import Objective
from lexgear.training.loop import Loop


class GenerativeRanker(Ranker):
    """Generates document IDs; a document's score is the log of the summed probability of its IDs."""

    generator_type: ClassVar[type[Generator]] = Generator
    settings: Any
    """Every settings class has `training` and `decoding`, and is a `GeneratorSettings`."""
    writes_queries: ClassVar[bool] = False
    """True if documents are indexed by written queries; the settings then have `writing`."""
    training: TrainingRun

    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self.training = TrainingRun(self.settings.training)
        self._use(GeneratorParts(self.settings, generator_type=self.generator_type))

    def _use(self, parts: GeneratorParts) -> None:
        self.parts = parts
        writing = self.settings.writing if self.writes_queries else None
        self.writer = QueryWriter(writing, parts, self.training) if writing else None

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Learn the IDs of the documents, and to reach them from the training queries."""
        task, backbone = self._begin(collection, progress)
        self.parts.ids = self._assign_ids(collection, task.texts)
        if self.writer:
            self.writer.train(task, backbone, progress)
            self.writer.queries = self._chosen_queries(task, self.writer.write(task.texts, progress), progress)
        self.parts.build_generator(backbone, self._document_symbols(self.parts.ids))
        self._train(task, progress)
        return self

    def fit_writer(self, collection: Collection, progress: Progress = silent) -> QueryWriter:
        """Return the query generator trained as in `fit`, without learning any IDs."""
        assert self.writer is not None
        task, backbone = self._begin(self.names.collection(collection), progress)
        self.writer.train(task, backbone, progress)
        return self.writer

    def _begin(self, collection: Collection, progress: Progress) -> tuple[TrainingTask, Backbone | None]:
        """Set inputs and tokenizer; return what there is to learn, and the untrained model if there is one."""
        documents, run = collection.documents, self.training
        if not any(document.text for document in documents):
            raise InputError(f"no document of {collection.name} has a text to read", code=ErrorCode.NOTHING_TO_LEARN)
        run.log, split = [], run.split(collection)
        texts, backbone = self.parts.start(
            collection, lambda inputs: inputs.of_documents(documents, collection.law, progress), run.notes
        )
        return TrainingTask(collection, split, texts, self.settings.training.epochs), backbone

    def can_update_queries(self) -> bool:
        """Return True: the generator keeps the documents and learns the queries."""
        return True

    def _with_queries(self, collection: Collection, progress: Progress) -> Self:
        """Return a copy that is trained on with the training queries of another collection of the same documents."""
        other = type(self)(self.settings)
        other._use(self.parts.copied())
        if self.writer and other.writer:
            other.writer.queries = self.writer.queries
        other.training.log = list(self.training.log)
        split = other.training.split(collection)
        texts = other.parts.inputs.of_documents(collection.documents, collection.law, progress)
        epochs = self.settings.training.query_epochs
        other._train(TrainingTask(collection, split, texts, epochs, documents_known=True), progress)
        return other

    @abstractmethod
    def _assign_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        """Return the IDs of the documents."""

    @abstractmethod
    def _train(self, task: TrainingTask, progress: Progress) -> None:
        """Train the generator."""

    def _chosen_queries(self, task: TrainingTask, written: list[list[str]], progress: Progress) -> list[list[str]]:
        """Return the written queries that documents are indexed by; by default all of them."""
        return written

    def _document_symbols(self, ids: DocIds) -> int:
        """Return how many documents have a symbol of their own."""
        return 0

    def _search(self, queries: Sequence[Query], k: int, scope: Scope, progress: Progress) -> list[list[ScoredId]]:
        results: list[list[ScoredId]] = []
        texts = self.parts.inputs.of_queries([query.text for query in queries])
        for query, text in zip(queries, texts, strict=True):
            found = self._best(query, self._walk(text), k, scope).hits if query.text.strip() else []
            results.append(self._scored(found))
            progress(len(results), len(queries))
        return results

    def _search_explained(self, query: Query, k: int, scope: Scope) -> list[tuple[ScoredId, Explanation | None]]:
        if not query.text.strip():
            return []
        walk = self.walk(query.text)
        result = self._best(query, walk, k, scope)
        why = explain_generated(
            self.parts.ids, walk, result.log_p, result.hits, self.parts.inputs.rationale(query.text)
        )
        return list(zip(self._scored(result.hits), why, strict=True))

    def _rationale(self, text: str) -> Rationale:
        """Return what f_R extracts from a text."""
        return self.parts.inputs.rationale(text)

    def lexicon(self) -> Lexicon:
        """Return the lexicon of f_R."""
        return self.parts.inputs.lexicon

    def walk(self, text: str) -> Walk:
        """Return the generator's walk down the IDs for a text."""
        return self._walk(self.parts.inputs.of_queries([text])[0])

    def _walk(self, model_input: str) -> Walk:
        """Return the walk for a text as the model reads it.

        Each text is read alone: padding beside longer texts would change scores in their last digits.
        """
        generator, trie, children = self.parts.generator, self.parts.ids.trie, self.settings.decoding.over_children
        read = generator.read_only(*self.parts.encode([model_input]))
        if generator.device.type == "cuda" and len(trie.internal_nodes) <= MAX_NODES and self._scores_whole_tree:
            log_p = WholeTree(generator, trie, read, children=children).log_p[0]
            return PrecomputedWalk(trie, log_p.cpu().numpy())
        return ModelWalk(generator, trie, read, 0, children=children)

    @property
    def _scores_whole_tree(self) -> bool:
        """True if one pass over the whole tree gives the generator's probabilities."""
        return True

    def _best(self, query: Query, walk: Walk, k: int, scope: Scope) -> Result:
        trie, documents, decoding = self.parts.ids.trie, self.parts.documents, self.settings.decoding
        allowed = documents.permitted(scope.allowed(query), scope.left_out(query))
        if decoding.search == "beam":
            constrained = walk if allowed.all() else PrunedWalk(walk, trie, allowed)
            beams = beam_search(trie, constrained, decoding.num_beams, decoding.num_beams)
            return replace(beams, hits=documents_of_beams(trie, beams.hits, documents.tie_order)[:k])
        return best_documents(trie, walk, k, tie_order=documents.tie_order, allowed=allowed)

    def _scored(self, found: Sequence[tuple[int, float]]) -> list[ScoredId]:
        return [ScoredId(self.parts.documents[position], score) for position, score in found]

    def _vectors(self, collection: Collection, texts: list[str]) -> NDArray[np.float32]:
        """Return one vector per document, from the frozen encoder or from words."""
        encoder = self.parts.encoder
        return encoder.encode(texts) if encoder else word_vectors(texts, collection.language)

    def _cluster_ids(self, collection: Collection, texts: list[str], *, by_level: bool = False) -> DocIds:
        """Return IDs by hierarchical k-means; with `by_level` digits of different levels are different symbols."""
        names, seed = [document.id for document in collection.documents], self.settings.training.seed
        return kmeans_ids(self._vectors(collection, texts), seed=seed, ids=names, by_level=by_level)

    def run_loop(
        self,
        objective: Objective,
        examples: int,
        task: TrainingTask,
        progress: Progress,
        *,
        epochs: int | None = None,
        learning_rate: float | None = None,
        stage: str = "",
    ) -> None:
        """Train the generator; with patience, until the held-out queries are found no better."""
        if learning_rate is None and self.writer:
            learning_rate = self.writer.id_learning_rate()
        settings = self.settings.training.loop(
            task.epochs if epochs is None else epochs,
            learning_rate=learning_rate,
            new_learning_rate=self.settings.decoder_learning_rate,
        )
        loop = Loop(self.parts.generator, objective, examples, settings)
        loop.pretrained = self.parts.generator.backbone.pretrained_parts()
        loop.validate = lambda: validation_mrr(self, task.collection, task.split.validation)
        self.training.run(loop, progress, stage)

    def indexing_accuracy(self, collection: Collection, max_documents: int = 200) -> float:
        """Return the share of up to `max_documents` evenly spaced documents that come first for a text they learnt."""
        collection = self.names.collection(collection)
        positions = np.unique(np.linspace(0, len(collection.documents) - 1, max_documents).round().astype(int)).tolist()
        right = []
        for position, text in zip(positions, self._learnt_from(collection, positions), strict=True):
            hits = self._best(Query("", text), self._walk(text), 1, EVERYTHING).hits
            right.append(bool(hits) and hits[0][0] == position)
        return float(np.mean(right))

    def _learnt_from(self, collection: Collection, positions: Sequence[int]) -> list[str]:
        """Return one text that each of these documents was learnt from."""
        if self.writer:
            return [self.writer.queries[position][0] for position in positions]
        return self.parts.inputs.of_documents(
            [collection.documents[position] for position in positions], collection.law
        )

    def save(self, directory: PartsDirectory) -> None:
        """Write the parts of the generator, and the written queries if there are any."""
        self.parts.save(directory)
        if self.writer:
            self.writer.save(directory)

    @classmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote."""
        ranker = cls(settings)
        ranker.parts.load(directory, ranker._document_symbols)
        if ranker.writer:
            ranker.writer.load(directory)
        return ranker
