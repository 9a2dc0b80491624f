"""What systems that generate document IDs share: learning them, walking down them, scores of documents."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.docids.ids import DocIds
from lexgear.docids.kmeans import kmeans_ids
from lexgear.docids.vectors import word_vectors
from lexgear.errors import InputError
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator.cuda_graph import MAX_NODES, PrecomputedWalk
from lexgear.model.generator.walk import ModelWalk
from lexgear.model.generator.whole_tree import WholeTree
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, ScoredId
from lexgear.rankers.explanation import Explanation, generated
from lexgear.rankers.generative.generator_ranker import GeneratorRanker
from lexgear.rankers.scope import Scope
from lexgear.search.beam import beam_search, documents_of_beams
from lexgear.search.exact import best_documents
from lexgear.search.pruned import PrunedWalk
from lexgear.search.scorer import Result, Walk
from lexgear.training.loop import Loop, LoopSettings, Objective
from lexgear.training.query_split import QuerySplit


class GenerativeRanker(GeneratorRanker):
    """Generates document IDs; a document's score is log of the summed P of its IDs."""

    reads_facts, summary_of_text = False, False
    settings: Any
    """Of `gear` or of a baseline: all have `softmax`, `search` and `beams`."""
    teaching: bool = False
    """Whether the documents are known already, and queries alone are to be learnt beside them."""

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Learns the IDs of the documents, and to get there from the training queries."""
        documents = collection.documents
        if not any(document.text for document in documents):
            raise InputError(f"no document of {collection.name} has a text to read")
        self.log, split = [], self._split(collection)
        texts, backbone = self._start(
            collection, lambda inputs: inputs.of_documents(documents, collection.law, progress)
        )
        self.ids = self._new_ids(collection, texts)
        self._index(collection, split, texts, backbone, progress)
        return self

    def taught(self, collection: Collection, progress: Progress = silent) -> Self:
        """A copy that goes on from here with the training queries of another collection of the same documents."""
        other = type(self)(self.settings)
        vars(other).update(vars(self))
        other.workspace, other.generator = None, copy.deepcopy(self.generator)
        other.teaching = True
        split = other._split(collection)
        texts = other.inputs.of_documents(collection.documents, collection.law, progress)
        other._learn(collection, split, texts, self.settings.taught_epochs, progress)
        return other

    def _index(
        self, collection: Collection, split: QuerySplit, texts: list[str], backbone: Backbone | None, progress: Progress
    ) -> None:
        """Learns the documents, given their texts and the model as it starts."""
        self._place(backbone)
        self._learn(collection, split, texts, self.settings.epochs, progress)

    @abstractmethod
    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        """The IDs of the documents."""

    @abstractmethod
    def _learn(
        self, collection: Collection, split: QuerySplit, texts: list[str], epochs: int, progress: Progress
    ) -> None:
        """Teaches the generator, as far as it is, for so many epochs."""

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[ScoredId]]:
        """The documents whose IDs are most probable, best first; ties go by document id."""
        results: list[list[ScoredId]] = []
        for query, shown in zip(queries, self.inputs.of_queries([query.text for query in queries]), strict=True):
            found = self._found(query, self._walk(shown), k, scope).hits if query.text.strip() else []
            results.append(self._hits(found))
            progress(len(results), len(queries))
        return results

    def explained(self, query: Query, k: int, scope: Scope = EVERYTHING) -> list[tuple[ScoredId, Explanation | None]]:
        """The hits with each ID step by step; what the generator knows of a document itself counts as content."""
        if not query.text.strip():
            return []
        walk = self._walk(self.inputs.of_queries([query.text])[0])
        result = self._found(query, walk, k, scope)
        why = generated(self.ids, walk, result.log_p, result.hits, self.inputs.rationale(query.text))
        return list(zip(self._hits(result.hits), why, strict=True))

    def walk(self, text: str) -> Walk:
        """The way of a text down the IDs."""
        return self._walk(self.inputs.of_queries([text])[0])

    def _walk(self, shown: str) -> Walk:
        # Each text alone: padding beside longer ones would move scores in their last digits.
        read = self.generator.read_only(*self.tokens.encode([shown], self.settings.tokens))
        if self.generator.device.type == "cuda" and len(self.ids.trie.internal_nodes) <= MAX_NODES:
            log_p = WholeTree(self.generator, self.ids.trie, read, children=self._children).log_p[0]
            return PrecomputedWalk(self.ids.trie, log_p.cpu().numpy())
        return ModelWalk(self.generator, self.ids.trie, read, 0, children=self._children)

    @property
    def _children(self) -> bool:
        return bool(self.settings.softmax == "children")

    def _vectors(self, collection: Collection, texts: list[str]) -> NDArray[np.float32]:
        """A vector for each document, by what embeds whole texts or by its words."""
        return self.encoder.encode(texts) if self.encoder else word_vectors(texts, collection.language)

    def _clusters(self, collection: Collection, texts: list[str]) -> DocIds:
        """IDs of hierarchical k-means."""
        names = [document.id for document in collection.documents]
        return kmeans_ids(self._vectors(collection, texts), seed=self.settings.seed, ids=names)

    def _id_loop(self, epochs: int) -> LoopSettings:
        """How fast IDs are learnt, and for how long."""
        settings: LoopSettings = self.settings.loop(epochs)
        return settings

    def _trained_ids(
        self,
        objective: Objective,
        examples: int,
        epochs: int,
        asked: tuple[Collection, QuerySplit],
        progress: Progress,
        stage: str = "",
    ) -> None:
        """Trains the generator; where there is patience, until the queries held out are found no better."""
        collection, split = asked
        loop = Loop(self.generator, objective, examples, self._id_loop(epochs))
        loop.validate = lambda: self.mrr(collection, split.validation)
        self._trained(loop, progress, stage)

    def _found_by(self, shown: str) -> list[ScoredId]:
        return self._hits(self._found(Query("", shown), self._walk(shown), 1, EVERYTHING).hits)

    def _hits(self, found: Sequence[tuple[int, float]]) -> list[ScoredId]:
        return [ScoredId(self._names[position], score) for position, score in found]

    def _found(self, query: Query, walk: Walk, k: int, scope: Scope) -> Result:
        allowed = self._allowed(scope.allowed(query), scope.left_out(query))
        if self.settings.search == "beam":
            within = walk if allowed.all() else PrunedWalk(walk, self.ids.trie, allowed)
            beams = beam_search(self.ids.trie, within, self.settings.beams, self.settings.beams)
            return replace(beams, hits=documents_of_beams(self.ids.trie, beams.hits, self._tie_order)[:k])
        return best_documents(self.ids.trie, walk, k, tie_order=self._tie_order, allowed=allowed)

    def _allowed(self, only: set[str] | None, left_out: set[str]) -> NDArray[np.bool_]:
        return np.array([(only is None or name in only) and name not in left_out for name in self._names])
