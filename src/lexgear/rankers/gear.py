"""GEAR as its paper has it: rationales in, IDs of the law tree out (Qin et al., SIGIR 2024).

f_R extracts what matters, f_T hangs every document under its charges, and a sequence-to-sequence model learns the
IDs with L_i + L_r + λ_l·L_c. By default it is a compact one, trained from scratch, and differs from the paper where
that is better; `docs/settings.md` says where, and how each difference is switched back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.docids.ids import DocIds
from lexgear.docids.kmeans import kmeans_ids
from lexgear.docids.law import law_ids
from lexgear.docids.vectors import word_vectors
from lexgear.errors import InputError
from lexgear.model.walk import ModelWalk
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, Hit
from lexgear.rankers.explanation import Explanation, generated
from lexgear.rankers.gear_settings import GearSettings
from lexgear.rankers.generating import GeneratorRanker
from lexgear.rankers.scope import Scope
from lexgear.search.beam import beam_search, documents_of_beams
from lexgear.search.exact import best_documents
from lexgear.search.scorer import Result
from lexgear.training.examples import joined
from lexgear.training.loop import Loop
from lexgear.training.objectives import GearObjective
from lexgear.training.queries import judgments_to_learn


class Gear(GeneratorRanker):
    """Generates document IDs down the law tree; a document's score is log of the summed P of its IDs."""

    name = "gear"
    summary = "GEAR: rationale, law tree, generator, three losses; from scratch or from a T5 checkpoint"
    settings_type = GearSettings
    reads_facts, summary_of_text = False, False
    settings: GearSettings

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Learns the IDs of the documents, and to get there from the training queries."""
        documents = collection.documents
        if not any(document.text for document in documents):
            raise InputError(f"no document of {collection.name} has a text to read")
        settings, split = self.settings, self._split(collection)
        texts, backbone = self._start(
            collection, lambda inputs: inputs.of_documents(documents, collection.law, progress)
        )
        self.ids = self._new_ids(collection, texts)
        self._place(backbone)
        own = [self.ids.trie.leaves_of(position) for position in range(len(documents))]
        queries = self._query_examples(collection, split.learnt)
        if settings.judgments_as_queries:
            chosen = judgments_to_learn(collection)
            shown = self.inputs.of_judgments_as_queries([documents[place] for place in chosen], progress)
            queries = joined(self._examples(shown, [own[place] for place in chosen]), queries)
        objective = GearObjective(
            self.generator,
            self.ids,
            documents=self._examples(texts, own),
            queries=queries,
            settings=settings.losses(),
            queries_a_batch=max(1, settings.batch // 2),
            beams=settings.train_beams,
            children=settings.softmax == "children",
        )
        loop = Loop(
            self.generator,
            objective,
            len(documents),
            settings.loop(),
            validate=lambda: self.mrr(collection, split.validation),
            workspace=self.workspace,
        )
        self.log = loop.run(progress)
        return self

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[Hit]]:
        """The documents whose IDs are most probable, best first; ties go by document id."""
        results: list[list[Hit]] = []
        for query, shown in zip(queries, self.inputs.of_queries([query.text for query in queries]), strict=True):
            found = self._found(query, self._walk(shown), k, scope).hits if query.text.strip() else []
            results.append([Hit(self._names[position], score) for position, score in found])
            progress(len(results), len(queries))
        return results

    def explained(self, query: Query, k: int, scope: Scope = EVERYTHING) -> list[tuple[Hit, Explanation | None]]:
        """The hits with each ID step by step; what the generator knows of a document itself counts as content."""
        if not query.text.strip():
            return []
        walk = self._walk(self.inputs.of_queries([query.text])[0])
        result = self._found(query, walk, k, scope)
        why = generated(self.ids, walk, result.log_p, result.hits, self.inputs.rationale(query.text))
        return [(Hit(self._names[place], score), one) for (place, score), one in zip(result.hits, why, strict=True)]

    def _walk(self, shown: str) -> ModelWalk:
        # Each text alone: padding beside longer ones would move scores in their last digits.
        read = self.generator.read_only(*self.tokens.encode([shown], self.settings.tokens))
        return ModelWalk(self.generator, self.ids.trie, read, 0, children=self._children)

    @property
    def _children(self) -> bool:
        return self.settings.softmax == "children"

    def _document_symbols(self) -> int:
        # The digits of k-means stand for clusters and for documents in them; in the law a document has its own symbol.
        return self.ids.document_count if self.settings.ids == "law" else 0

    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        """Those of the law, or of clusters of what the model reads."""
        if self.settings.ids == "law":
            return law_ids(collection, shape=self.settings.shape)
        vectors = self.encoder.encode(texts) if self.encoder else word_vectors(texts, collection.language)
        return kmeans_ids(vectors, seed=self.settings.seed, ids=[document.id for document in collection.documents])

    def _found(self, query: Query, walk: ModelWalk, k: int, scope: Scope) -> Result:
        allowed = self._allowed(scope.allowed(query), scope.left_out(query))
        if self.settings.search == "beam":
            beams = beam_search(self.ids.trie, walk, self.settings.beams, self.settings.beams)
            found = documents_of_beams(self.ids.trie, beams.hits, self._tie_order)
            return replace(beams, hits=[hit for hit in found if allowed[hit[0]]][:k])
        return best_documents(self.ids.trie, walk, k, tie_order=self._tie_order, allowed=allowed)

    def _allowed(self, only: set[str] | None, left_out: set[str]) -> NDArray[np.bool_]:
        return np.array([(only is None or name in only) and name not in left_out for name in self._names])
