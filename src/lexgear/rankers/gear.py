"""GEAR as its paper has it: rationales in, IDs of the law tree out (Qin et al., SIGIR 2024).

f_R extracts what matters, f_T hangs every document under its charges, and a sequence-to-sequence model learns the
IDs with L_i + L_r + λ_l·L_c. What differs from the paper can be switched back by settings: the exact search
(`search=beam`), the softmax over children (`softmax=vocabulary`), the bounded revision loss (`form=paper`), judgments
as training queries (`judgments_as_queries=false`). The model is trained from scratch and has no B3.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.docids.ids import DocIds
from lexgear.docids.law import law_ids
from lexgear.errors import InputError
from lexgear.files import read_json, write_json_list
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator import Generator
from lexgear.model.tokens import Tokens
from lexgear.model.walk import ModelWalk
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, Hit, Ranker
from lexgear.rankers.gear_settings import GearSettings
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.scope import Scope
from lexgear.rationale.lexicon import Lexicon
from lexgear.search.beam import beam_search, documents_of_beams
from lexgear.search.exact import best_documents
from lexgear.training.examples import Examples, joined
from lexgear.training.loop import Loop
from lexgear.training.objectives import GearObjective

IDS, TOKENS, MODEL, LEXICON = "docids.npz", "tokenizer.json", "model.safetensors", "lexicon.json"


class Gear(Ranker):
    """Generates document IDs down the law tree; a document's score is log of the summed P of its IDs."""

    name = "gear"
    summary = "GEAR: rationale, law tree, generator, three losses (trained from scratch)"
    settings_type = GearSettings
    settings: GearSettings
    ids: DocIds
    inputs: Inputs
    tokens: Tokens
    generator: Generator
    log: list[dict[str, float]]
    """Losses by epoch, after `fit`."""

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Learns the IDs of the documents, and to get there from the training queries."""
        import torch

        documents = collection.documents
        if not any(document.text for document in documents):
            raise InputError(f"no document of {collection.name} has a text to read")
        settings = self.settings
        self.ids = law_ids(collection, shape=settings.shape)
        self.inputs = Inputs.of(collection, settings.extraction() if settings.rationale else None)
        texts = self.inputs.of_documents(documents)
        self.tokens = Tokens.train(texts, language=collection.language, size=settings.vocabulary)
        own = [self.ids.trie.leaves_of(position) for position in range(len(documents))]
        queries = self._training_queries(collection)
        if settings.judgments_as_queries:
            queries = joined(self._examples(self.inputs.of_judgments_as_queries(documents), own), queries)
        torch.manual_seed(settings.seed)
        self.generator = self._new_generator()
        objective = GearObjective(
            self.generator,
            self.ids,
            documents=self._examples(texts, own),
            queries=queries,
            settings=settings.losses(),
            queries_a_batch=max(8, settings.batch // 2),
            beams=settings.train_beams,
            children=settings.softmax == "children",
        )
        self.log = Loop(self.generator, objective, len(documents), settings.loop()).run(progress)
        return self

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[Hit]]:
        """The documents whose IDs are most probable, best first; ties go by document id."""
        results: list[list[Hit]] = []
        for query, shown in zip(queries, self.inputs.of_queries([query.text for query in queries]), strict=True):
            # Each text alone: padding beside longer ones would move scores in their last digits.
            read = self.generator.read_only(*self.tokens.encode([shown], self.settings.tokens))
            walk = ModelWalk(self.generator, self.ids.trie, read, 0, children=self._children)
            results.append(self._hits(query, walk, k, scope) if query.text.strip() else [])
            progress(len(results), len(queries))
        return results

    def save(self, directory: Path) -> None:
        """Writes IDs, tokenizer, lexicon and weights."""
        from safetensors.torch import save_file

        self.ids.save(directory / IDS)
        self.tokens.save(directory / TOKENS)
        write_json_list(
            directory / LEXICON, [{"language": self.inputs.lexicon.language}, *self.inputs.lexicon.to_rows()]
        )
        save_file(self.generator.state_dict(), directory / MODEL)

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        from safetensors.torch import load_file

        ranker = cls(settings)
        ranker.ids, ranker.tokens = DocIds.load(directory / IDS), Tokens.load(directory / TOKENS)
        [head, *rows] = read_json(directory / LEXICON)
        extraction = settings.extraction() if settings.rationale else None
        ranker.inputs = Inputs(Lexicon.from_rows(rows, head["language"]), extraction)
        ranker.generator = ranker._new_generator()
        ranker.generator.load_state_dict(load_file(directory / MODEL))
        ranker.generator.eval()
        return ranker

    @property
    def _children(self) -> bool:
        return self.settings.softmax == "children"

    def _new_generator(self) -> Generator:
        backbone = Backbone(self.settings.backbone(self.tokens.size))
        return Generator(backbone, self.ids.law_symbols, self.ids.document_count)

    def _examples(self, texts: Sequence[str], leaves: Sequence[NDArray[Any]]) -> Examples:
        return Examples(*self.tokens.encode(texts, self.settings.tokens), leaves)

    def _training_queries(self, collection: Collection) -> Examples:
        """Queries of the training split, with the IDs of what is relevant to them; their own judgments left out."""
        position = {document.id: place for place, document in enumerate(collection.documents)}
        texts, leaves = [], []
        for query in collection.queries:
            grades = collection.qrels.get(query.id, {}) if query.split == "train" else {}
            relevant = [name for name, grade in grades.items() if grade >= collection.relevant_from]
            found = [self.ids.trie.leaves_of(position[name]) for name in relevant if name not in query.own]
            if found:
                texts.append(query.text)
                leaves.append(np.concatenate(found))
        return self._examples(self.inputs.of_queries(texts), leaves)

    def _hits(self, query: Query, walk: ModelWalk, k: int, scope: Scope) -> list[Hit]:
        allowed = self._allowed(scope.allowed(query), scope.left_out(query))
        if self.settings.search == "beam":
            beams = beam_search(self.ids.trie, walk, self.settings.beams, self.settings.beams).hits
            found = [hit for hit in documents_of_beams(self.ids.trie, beams, self._tie_order) if allowed[hit[0]]][:k]
        else:
            found = best_documents(self.ids.trie, walk, k, tie_order=self._tie_order, allowed=allowed).hits
        return [Hit(self._names[position], score) for position, score in found]

    def _allowed(self, only: set[str] | None, left_out: set[str]) -> NDArray[np.bool_]:
        return np.array([(only is None or name in only) and name not in left_out for name in self._names])

    @property
    def _names(self) -> tuple[str, ...]:
        return self.ids.names[self.ids.law_symbols :]

    @property
    def _tie_order(self) -> NDArray[np.int64]:
        return np.argsort(np.argsort(np.array(self._names, dtype=object)))
