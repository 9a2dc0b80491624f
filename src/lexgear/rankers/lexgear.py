"""Our own: the same law, rationale and generator as `gear`, with words at the law's nodes, hybrid leaves, exact search.

A document's score is log Σ over its IDs of exp(w · log P(charge)) + s(query, document), where s adds BM25 and the
likeness of the encoder's vectors: no softmax over documents, so a charge with many cases loses nothing by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.docids.law import law_ids
from lexgear.files import read_json, write_json_list
from lexgear.lexical.words import segmenter
from lexgear.model.checkpoints import Backbone
from lexgear.model.generator import Generator
from lexgear.model.walk import ModelWalk
from lexgear.progress import Progress, silent
from lexgear.rankers.asked import Asked
from lexgear.rankers.base import EVERYTHING, Hit
from lexgear.rankers.bm25 import BM25
from lexgear.rankers.evidence import Evidence
from lexgear.rankers.explanation import Explanation, paths, reached, shared_words
from lexgear.rankers.generating import GeneratorRanker
from lexgear.rankers.law_centroids import LawCentroids, potentials
from lexgear.rankers.law_walk import MixedWalk, whole_law
from lexgear.rankers.lexgear_settings import LexgearSettings
from lexgear.rankers.mixture import LeafParts, Mixture, Ranked, document_scores, learn_ranking, learn_walk
from lexgear.rankers.scope import Scope
from lexgear.rankers.weighing import Facts, judged_texts, ranked_queries
from lexgear.search.exact import best_hybrid
from lexgear.search.scorer import LogP, Result, Walk
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop
from lexgear.training.objectives import LexgearObjective
from lexgear.training.queries import QuerySplit, judgments_to_learn, relevant

LAW, ASKED, VECTORS, MIXTURE = "law-words.npz", "asked.npz", "vectors.npy", "mixture.json"
TEXTS_AT_ONCE = 32
KEPT_EVERY, MOST_KEPT = 20, 200
"""One judgment in so many, and no more than that, is kept from the walk to learn its weights on."""


class Lexgear(GeneratorRanker):
    """Charges, words and content in one exact walk down the law."""

    name = "lexgear"
    summary = "ours: P(charge) from generator and words, hybrid leaves, exact search"
    settings_type = LexgearSettings
    settings: LexgearSettings
    bm25: BM25
    law_words: LawCentroids
    asked: Asked
    vectors: NDArray[np.float32]
    """A unit vector a document."""
    mixture: Mixture

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Trains the generator, then learns the weights on queries held out from it."""
        documents, split = collection.documents, self._split(collection, weighs=True)
        self.bm25 = BM25().fit(collection)
        self.ids = law_ids(collection, whole_law=True)
        read = documents if self.generates else ()
        asked, backbone = self._start(collection, lambda inputs: inputs.of_judgments_as_queries(read, progress))
        self._place(backbone)
        permitted, cut = judgments_to_learn(collection), segmenter(collection.language)
        kept = permitted[KEPT_EVERY - 1 :: max(KEPT_EVERY, len(permitted) // MOST_KEPT)]
        learnt = [place for place in permitted if place not in set(kept)]
        facts = self.inputs.masked_facts(documents)
        words = {place: cut(facts[place]) for place in permitted}
        law = self._law_texts(collection)
        self.law_words = self._law_words(words, learnt, law)
        self.asked, self.mixture = self._asked(collection, split.learnt), Mixture(generator=0.1 * self.generates)
        self.vectors = np.zeros((len(documents), 0), dtype=np.float32)
        if self.generates:
            self._train(collection, split, asked, learnt, progress)
        ranked = ranked_queries(self, collection, split.weighing)
        tried = [*judged_texts(self, kept, facts, documents, progress), *(one.tried for one in ranked)]
        walk = learn_walk(self.ids.trie, self.charge_nodes(), tried, generates=self.generates)
        self.mixture = learn_ranking(walk, ranked, self.scores)
        self.law_words = self._law_words(words, permitted, law)
        self.asked = self._asked(collection, [*split.learnt, *split.validation, *split.weighing])
        return self

    @property
    def generates(self) -> bool:
        """Whether there is a generator to ask."""
        return self.settings.epochs > 0

    def _train(
        self, collection: Collection, split: QuerySplit, asked: Sequence[str], learnt: Sequence[int], progress: Progress
    ) -> None:
        """Teaches the generator to name charges, and queries to lie near what answers them."""
        documents, settings = collection.documents, self.settings
        texts = self._examples(self.inputs.of_documents(documents), self._leaves(range(len(documents))))
        objective = LexgearObjective(
            self.generator,
            self.ids,
            judgments=self._examples([asked[place] for place in learnt], [texts.leaves[place] for place in learnt]),
            queries=self._query_examples(collection, split.learnt),
            documents=texts,
            thin=settings.thin,
        )

        def validate() -> float:
            self.vectors = self._vectors(texts)
            return self.mrr(collection, split.validation)

        loop = Loop(self.generator, objective, len(learnt), settings.loop(), validate, self.workspace)
        self.log = loop.run(progress)
        self.vectors = self._vectors(texts)

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[Hit]]:
        """The best documents by charges, words and content together; ties go by document id."""
        results: list[list[Hit]] = []
        for query in queries:
            facts = self.read(query.text)
            found = self._found(query, facts, self.leaf_parts(facts, wanted=self.mixture.content > 0), k, scope).hits
            results.append([Hit(self._names[place], score) for place, score in found])
            progress(len(results), len(queries))
        return results

    def explained(self, query: Query, k: int, scope: Scope = EVERYTHING) -> list[tuple[Hit, Explanation | None]]:
        """The hits with the way to each of their charges, and what charges, content and words gave."""
        facts, trie = self.read(query.text), self.ids.trie
        parts = self.leaf_parts(facts, wanted=self.mixture.content > 0)
        result = self._found(query, facts, parts, k, scope)
        ends = [trie.parent[trie.leaves_of(place)] for place, _ in result.hits]
        log_p = reached(trie, self.walk(facts), result.log_p, np.concatenate([np.empty(0, dtype=np.int32), *ends]))
        evidence = self.evidence(facts)
        explained: list[tuple[Hit, Explanation | None]] = []
        for (place, score), above in zip(result.hits, ends, strict=True):
            why = Explanation(
                charge=self._charge_part(log_p[above]),
                content=self.mixture.content * float(parts.content[place]),
                words=float(parts.words[place]),
                asked=self.mixture.asked * float(parts.asked[place]),
                paths=paths(self.ids, log_p, above.tolist()),
                shared=shared_words(self.bm25.weights, facts.words, place),
                rationale=evidence.nearest([end for end in above.tolist() if self.ids.node_kind(end) == "charge"]),
            )
            explained.append((Hit(self._names[place], score), why))
        return explained

    def read(self, text: str) -> Facts:
        """Reads a text, once for whatever is asked of it then."""
        rationale, words = self.inputs.rationale(text), segmenter(self.bm25.language)(text)

        def ask() -> tuple[Walk, LogP]:
            # Each text alone: padding beside longer ones would move scores in their last digits.
            read = self.generator.read_only(*self.tokens.encode([rationale.text()], self.settings.tokens))
            vector = self.generator.vectors(read).detach().float().cpu().numpy()[0]
            return ModelWalk(self.generator, self.ids.trie, read, 0), vector

        return Facts(words, rationale, self.law_words.cosines(words), ask)

    def walk(self, facts: Facts) -> MixedWalk:
        """The way of a text down the law, by generator and words together."""
        reach = potentials(self.ids.trie, facts.nearness, self.mixture.law_words)
        return MixedWalk(facts, self.ids.trie, reach, self.mixture.generator)

    def shares(self, facts: Facts) -> LogP:
        """log P of every law node of the trie; NaN for documents."""
        return whole_law(self.ids.trie, self.walk(facts))

    def evidence(self, facts: Facts) -> Evidence:
        """Which sentences of the rationale speak for which charge."""
        cut, sentences = segmenter(self.bm25.language), facts.rationale.sentences
        return Evidence(self.ids, sentences, [self.law_words.cosines(cut(part.text)) for part in sentences])

    def leaf_parts(self, facts: Facts, *, wanted: bool = True) -> LeafParts:
        """What speaks for each document beside its charges; the content only where it is wanted."""
        words = self.bm25.weights.sums(self.bm25.weights.known(facts.words)).astype(np.float64)
        likeness = np.zeros(len(words))
        if self.generates and wanted:
            likeness = (self.vectors @ facts.vector).astype(np.float64)
        return LeafParts(
            words / max(words.std(), 1e-9), likeness / max(likeness.std(), 1e-9), self.asked.scores(facts.words)
        )

    def scores(self, one: Ranked, mixture: Mixture) -> LogP:
        """The score of every document, to try weights by."""
        log_p = one.tried.log_p(self.ids.trie, mixture)
        return document_scores(self.ids.trie, log_p, mixture.charge, one.parts.mixed(mixture))

    def charge_nodes(self) -> NDArray[np.int64]:
        """The trie nodes of charges, whether any document hangs there or not."""
        return np.array(
            [node for node in self.ids.trie.internal_nodes.tolist() if self.ids.node_kind(node) == "charge"]
        )

    def save(self, directory: Path) -> None:
        """Writes the parts of every generator, and words, vectors and mixture."""
        super().save(directory)
        self.bm25.save(directory)
        self.law_words.save(directory / LAW)
        self.asked.save(directory / ASKED)
        np.save(directory / VECTORS, self.vectors, allow_pickle=False)
        write_json_list(directory / MIXTURE, [self.mixture.to_row()])

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        ranker = super().load(directory, settings)
        ranker.bm25 = BM25.load(directory, BM25.settings_type())
        ranker.law_words = LawCentroids.load(directory / LAW)
        ranker.asked = Asked.load(directory / ASKED, ranker.bm25.weights)
        ranker.vectors = np.load(directory / VECTORS, allow_pickle=False)
        [weights] = read_json(directory / MIXTURE)
        ranker.mixture = Mixture(**weights)
        return ranker

    def _found(self, query: Query, facts: Facts, parts: LeafParts, k: int, scope: Scope) -> Result:
        leaves = np.where(self._allowed(query, parts.words, scope), parts.mixed(self.mixture), -np.inf)
        return best_hybrid(self.ids.trie, self.walk(facts), k, self.mixture.charge, leaves, tie_order=self._ties)

    def _allowed(self, query: Query, words: LogP, scope: Scope) -> NDArray[np.bool_]:
        """Which documents may answer; none where the text shares no word with any."""
        only, left_out = scope.allowed(query), scope.left_out(query)
        permitted = [(only is None or name in only) and name not in left_out for name in self._names]
        return np.array(permitted, dtype=bool) & words.any()

    def _charge_part(self, log_p: LogP) -> float:
        """What the charges of a document give to its score, from log P of each."""
        return float(np.logaddexp.reduce(self.mixture.charge * log_p))

    def _law_words(
        self, words: Mapping[int, Sequence[str]], places: Sequence[int], law: Mapping[int, Sequence[str]]
    ) -> LawCentroids:
        """What the law says, and what these documents (by position) teach."""
        known = set(places)
        texts = [words[place] if place in known else () for place in range(self.ids.document_count)]
        return LawCentroids.of(self.ids.trie, texts, law)

    def _asked(self, collection: Collection, queries: Sequence[Query]) -> Asked:
        cut, position = self.bm25.segment, {name: place for place, name in enumerate(self._names)}
        answers = [[position[name] for name in relevant(collection, query)] for query in queries]
        return Asked.of(self.bm25.weights, [cut(query.text) for query in queries], answers)

    def _law_texts(self, collection: Collection) -> dict[int, list[str]]:
        """The words of each charge's name and definition, by trie node."""
        nodes = {node: collection.law[self.ids.node_name(node)] for node in self.charge_nodes().tolist()}
        cut = segmenter(collection.language)
        return {node: cut(f"{place.number}。{place.text}") for node, place in nodes.items()}

    def _vectors(self, texts: Examples) -> NDArray[np.float32]:
        parts = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            some = texts.rows(np.arange(start, min(start + TEXTS_AT_ONCE, len(texts))))
            read = self.generator.read_only(some.numbers, some.mask)
            parts.append(self.generator.vectors(read).detach().float().cpu().numpy())
        return np.concatenate(parts)

    def _new_generator(self, backbone: Backbone) -> Generator:
        return Generator(backbone, self.ids.law_symbols, summary=True)

    def _leaves(self, positions: Any) -> list[NDArray[Any]]:
        return [self.ids.trie.leaves_of(position) for position in positions]

    @property
    def _names(self) -> tuple[str, ...]:
        return self.ids.names[self.ids.law_symbols :]

    @property
    def _ties(self) -> NDArray[np.int64]:
        return np.argsort(np.argsort(np.array(self._names, dtype=object)))
