"""Our own: the same law, rationale and generator as `gear`, with words at the law's nodes, hybrid leaves, exact search.

A document's score is log Σ over its IDs of exp(w · log P(charge)) + s(query, document), where s adds BM25 and the
likeness of the encoder's vectors: no softmax over documents, so a charge with many cases loses nothing by it.
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
from lexgear.files import read_json, write_json_list
from lexgear.lexical.words import segmenter
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator import Generator
from lexgear.model.tokens import Tokens
from lexgear.model.walk import ModelWalk
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, Hit, Ranker
from lexgear.rankers.bm25 import BM25
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.law_words import LawWords, WordedWalk
from lexgear.rankers.lexgear_settings import LexgearSettings
from lexgear.rankers.mixture import LAW_WORDS, Asked, Mixture, learn
from lexgear.rankers.scope import Scope
from lexgear.rationale.lexicon import Lexicon
from lexgear.search.exact import best_hybrid
from lexgear.search.scorer import LogP, Walk
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop
from lexgear.training.objectives import LexgearObjective

IDS, TOKENS, MODEL, LEXICON = "docids.npz", "tokenizer.json", "model.safetensors", "lexicon.json"
LAW, VECTORS, MIXTURE = "law-words.npz", "vectors.npy", "mixture.json"
TEXTS_AT_ONCE = 32


class Lexgear(Ranker):
    """Charges, words and content in one exact walk down the law."""

    name = "lexgear"
    summary = "ours: P(charge) from generator and words, hybrid leaves, exact search"
    settings_type = LexgearSettings
    settings: LexgearSettings
    ids: DocIds
    inputs: Inputs
    tokens: Tokens
    generator: Generator
    bm25: BM25
    law_words: LawWords
    vectors: NDArray[np.float32]
    """A unit vector a document."""
    mixture: Mixture

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Trains the generator, then learns the weights on queries held out from it."""
        import torch

        settings, documents = self.settings, collection.documents
        self.bm25 = BM25().fit(collection)
        self.ids = law_ids(collection, whole_law=True)
        self.inputs = Inputs.of(collection, settings.extraction())
        asked = self.inputs.of_judgments_as_queries(documents)
        self.tokens = Tokens.train(asked, language=collection.language, size=settings.vocabulary)
        cut = segmenter(collection.language)
        self.law_words = LawWords.of(self.ids.trie, [cut(text) for text in self.inputs.masked_facts(documents)])
        trained, held_out = self._split(collection)
        texts = self._examples(self.inputs.of_documents(documents), self._leaves(range(len(documents))))
        torch.manual_seed(settings.seed)
        self.generator = self._new_generator()
        objective = LexgearObjective(
            self.generator,
            self.ids,
            judgments=self._examples(asked, texts.leaves),
            queries=self._query_examples(collection, trained),
            documents=texts,
            thin=settings.thin,
        )
        Loop(self.generator, objective, len(documents), settings.loop()).run(progress)
        self.vectors = self._vectors(texts)
        self.mixture = Mixture()
        self.mixture = learn(self._tried(collection, held_out), *self._ids_by_place(), self.charge_nodes())
        return self

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[Hit]]:
        """The best documents by charges, words and content together; ties go by document id."""
        results: list[list[Hit]] = []
        names = self.ids.names[self.ids.law_symbols :]
        ties = np.argsort(np.argsort(np.array(names, dtype=object)))
        for start in range(0, len(queries), TEXTS_AT_ONCE):
            some = queries[start : start + TEXTS_AT_ONCE]
            for query, walk, vector in zip(some, *self._walks([query.text for query in some]), strict=True):
                words, content = self._leaf_parts(query, vector)
                leaves = words + self.mixture.content * content
                only, left_out = scope.allowed(query), scope.left_out(query)
                barred = [(only is not None and name not in only) or name in left_out for name in names]
                leaves[np.array(barred, dtype=bool)] = -np.inf
                found = best_hybrid(self.ids.trie, walk, k, self.mixture.charge, leaves, tie_order=ties).hits
                results.append([Hit(names[place], score) for place, score in found] if words.any() else [])
                progress(len(results), len(queries))
        return results

    def shares(self, text: str) -> LogP:
        """log P of every law node of the trie for a text; NaN for documents."""
        [walk], _ = self._walks([text])
        return _whole_law(self.ids, walk)

    def save(self, directory: Path) -> None:
        """Writes IDs, tokenizer, lexicon, weights, words, vectors and mixture."""
        from safetensors.torch import save_file

        self.bm25.save(directory)
        self.ids.save(directory / IDS)
        self.tokens.save(directory / TOKENS)
        lexicon = self.inputs.lexicon
        write_json_list(directory / LEXICON, [{"language": lexicon.language}, *lexicon.to_rows()])
        self.law_words.save(directory / LAW)
        np.save(directory / VECTORS, self.vectors, allow_pickle=False)
        write_json_list(directory / MIXTURE, [self.mixture.to_row()])
        save_file(self.generator.state_dict(), directory / MODEL)

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        from safetensors.torch import load_file

        ranker = cls(settings)
        ranker.bm25 = BM25.load(directory, BM25.settings_type())
        ranker.ids, ranker.tokens = DocIds.load(directory / IDS), Tokens.load(directory / TOKENS)
        [head, *rows] = read_json(directory / LEXICON)
        ranker.inputs = Inputs(Lexicon.from_rows(rows, head["language"]), settings.extraction())
        ranker.law_words = LawWords.load(directory / LAW)
        ranker.vectors = np.load(directory / VECTORS, allow_pickle=False)
        [weights] = read_json(directory / MIXTURE)
        ranker.mixture = Mixture(**weights)
        ranker.generator = ranker._new_generator()
        ranker.generator.load_state_dict(load_file(directory / MODEL))
        ranker.generator.eval()
        return ranker

    def _walks(self, texts: Sequence[str], law_words: float | None = None) -> tuple[list[WordedWalk], LogP]:
        """A walk for each text, its encoder run; and the texts' vectors."""
        weight = self.mixture.law_words if law_words is None else law_words
        cut, trie = segmenter(self.bm25.language), self.ids.trie
        walks, vectors = [], []
        for text, shown in zip(texts, self.inputs.of_queries(texts), strict=True):
            # Each text alone: padding beside longer ones would move scores in their last digits.
            read = self.generator.read_only(*self.tokens.encode([shown], self.settings.tokens))
            walk = ModelWalk(self.generator, trie, read, 0)
            walks.append(WordedWalk(walk, trie, self.law_words.scores(cut(text)), weight))
            vectors.append(self.generator.vectors(read).detach().float().cpu().numpy()[0])
        return walks, np.array(vectors)

    def _leaf_parts(self, query: Query, vector: LogP) -> tuple[LogP, LogP]:
        """BM25 in units of its spread over the documents, and the likeness of vectors likewise."""
        scores = self.bm25.scores(query).astype(np.float64)
        words = np.where(np.isfinite(scores), scores, 0.0)
        likeness = (self.vectors @ vector).astype(np.float64)
        return words / max(words.std(), 1e-9), likeness / max(likeness.std(), 1e-9)

    def _split(self, collection: Collection) -> tuple[list[Query], list[Query]]:
        """Training queries for the generator, and those held out from it for the weights."""
        labelled = [q for q in collection.queries if q.split == "train" and self._relevant(collection, q)]
        chance = np.random.default_rng(self.settings.seed)
        order = [labelled[place] for place in chance.permutation(len(labelled))]
        held_out = round(len(order) * self.settings.held_out)
        return order[held_out:], order[:held_out]

    def _relevant(self, collection: Collection, query: Query) -> list[str]:
        grades = collection.qrels.get(query.id, {})
        return [name for name, grade in grades.items() if grade >= collection.relevant_from and name not in query.own]

    def _query_examples(self, collection: Collection, queries: Sequence[Query]) -> Examples:
        position = {document.id: place for place, document in enumerate(collection.documents)}
        leaves = [
            np.concatenate(self._leaves(position[name] for name in self._relevant(collection, query)))
            for query in queries
        ]
        return self._examples(self.inputs.of_queries([query.text for query in queries]), leaves)

    def _tried(self, collection: Collection, queries: Sequence[Query]) -> list[Asked]:
        position = {document.id: place for place, document in enumerate(collection.documents)}
        names = [self.ids.node_name(node).rsplit("/", 1)[-1] for node in self.charge_nodes().tolist()]
        tried = []
        for query in queries:
            grades = np.zeros(len(position), dtype=np.int64)
            for name, grade in collection.qrels[query.id].items():
                grades[position[name]] = max(grade, 0)
            log_p = {}
            for weight in LAW_WORDS:
                [walk], vectors = self._walks([query.text], weight)
                log_p[weight] = _whole_law(self.ids, walk)
            words, content = self._leaf_parts(query, vectors[0])
            applies = np.array([name in query.charges for name in names])
            tried.append(Asked(log_p, words, content, grades, applies))
        return tried

    def _vectors(self, texts: Examples) -> NDArray[np.float32]:
        parts = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            some = texts.rows(np.arange(start, min(start + TEXTS_AT_ONCE, len(texts))))
            read = self.generator.read_only(some.numbers, some.mask)
            parts.append(self.generator.vectors(read).detach().float().cpu().numpy())
        return np.concatenate(parts)

    def _new_generator(self) -> Generator:
        backbone = Backbone(self.settings.backbone(self.tokens.size))
        return Generator(backbone, self.ids.law_symbols, summary=True)

    def _examples(self, texts: Sequence[str], leaves: Sequence[NDArray[Any]]) -> Examples:
        return Examples(*self.tokens.encode(texts, self.settings.tokens), leaves)

    def _leaves(self, positions: Any) -> list[NDArray[Any]]:
        return [self.ids.trie.leaves_of(position) for position in positions]

    def charge_nodes(self) -> NDArray[np.int64]:
        """The trie nodes of charges, whether any document hangs there or not."""
        return np.array(
            [node for node in self.ids.trie.internal_nodes.tolist() if self.ids.node_kind(node) == "charge"]
        )

    def _ids_by_place(self) -> tuple[NDArray[Any], NDArray[Any]]:
        leaves = np.flatnonzero(self.ids.trie.leaf_mask)
        return self.ids.trie.parent[leaves], self.ids.trie.document[leaves]


def _whole_law(ids: DocIds, walk: Walk) -> LogP:
    """log P of every law node, level by level; NaN for documents."""
    trie = ids.trie
    log_p = np.full(trie.node_count, np.nan)
    log_p[0], level = 0.0, [0]
    while level:
        for node, steps in zip(level, walk.expand(level), strict=True):
            below = trie.children(node)
            log_p[below.start : below.stop] = log_p[node] + steps
        children = [child for node in level for child in trie.children(node)]
        level = [c for c in children if trie.child_count[c] and trie.document[trie.first_child[c]] < 0]
    return log_p
