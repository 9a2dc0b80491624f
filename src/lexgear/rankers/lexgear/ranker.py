"""Our own: the same law, rationale and generator as `gear`, with words at the law's nodes, hybrid leaves, exact search.

A document's score is w · log Σ P(charge) over its IDs + s(query, document), where s adds words, concepts, the likeness
of the encoder's vectors and questions asked before: no softmax over documents, so a charge with many cases loses
nothing by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Document
from lexgear.docids.ids import DocIds
from lexgear.docids.law import law_ids
from lexgear.errors import InputError
from lexgear.files import read_json, write_json_list
from lexgear.law.tree import LawTree
from lexgear.model.encoder.vectors import encode_texts
from lexgear.pretraining.base import CHARGE_WORDS
from lexgear.pretraining.charge_words import ChargeWords
from lexgear.progress import Progress, silent
from lexgear.rankers.generative.generator_ranker import IDS, base_named
from lexgear.rankers.lexgear.concepts import Concepts
from lexgear.rankers.lexgear.document_features import Shelf, Vectors, Words
from lexgear.rankers.lexgear.inference import HybridRanker
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.lexgear.training_queries import LESSONS, Lessons
from lexgear.rankers.lexgear.weight_learning import judged_texts, ranked_queries
from lexgear.rankers.lexgear.weights import Mixture, learn_ranking, walks
from lexgear.training.loop import Loop
from lexgear.training.objectives.lexgear import LexgearObjective
from lexgear.training.query_split import QuerySplit, never_train_on, trainable_judgments

MIXTURE, CONCEPTS = "mixture.json", "concepts.npz"
KEPT_EVERY, MOST_KEPT = 20, 200
"""One judgment in so many, and no more than that, is kept from the walk to learn its weights on."""
ENOUGH = 100
"""Queries that may choose the walk by how it ranks: with 123 of LeCaRDv2 R@20 rises from .37 to .45; the 60 of a fold
of LeCaRD gain nothing by it (nDCG@10 in the pools .781 for .784)."""


class Lexgear(HybridRanker):
    """Charges, words and content in one exact walk down the law."""

    name = "lexgear"
    summary = "ours: P(charge) from generator and words, hybrid leaves, exact search"
    settings_type = LexgearSettings
    reads_facts, summary_of_text = True, True
    settings: LexgearSettings
    lessons: Lessons

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Trains the generator, learns the weights on queries held out from it, then puts all it knows on the shelf."""
        trains = self.settings.epochs > 0
        documents, split = collection.documents, self._split(collection, weighs=trains)
        self.ids = self._ids(collection)
        read = documents if trains else ()
        asked, backbone = self._start(collection, lambda inputs: inputs.of_judgments_as_queries(read, progress))
        self._place(backbone)
        self.charge_words = self.base.charge_words if self.base and self.walks else None
        words = Words.of(collection, self.inputs, never_train_on(collection), progress)
        if not self.walks and not words.bm25.counts.words:
            raise InputError(f"no document of {collection.name} has a text to search in")
        kept = self._kept(collection)
        progress(0, 1, "learning concepts")
        self.concepts = Concepts.of(words.bm25.counts)
        about = self.concepts.vectors(words.bm25.counts)
        vectors = self._encoded(documents, collection.law, progress) if not trains else None
        self._shelve(collection, split, words.without(kept), about, vectors)
        self.mixture = Mixture(generator=0.1 * self.walks)
        if trains:
            learnt = [place for place in trainable_judgments(collection) if place not in set(kept)]
            self._train(collection, split, asked, learnt, progress)
        self._weigh(collection, split, words, progress)
        return self

    def taught(self, collection: Collection, progress: Progress = silent) -> Self:
        """The same over the same documents, taught by other queries; where training is no part of it, reads nothing."""
        if self.settings.epochs:
            return super().taught(collection, progress)
        other, words = self._copy(), self.shelf.words
        other.base = self.base or base_named(self.settings.backbone, collection.language)
        split = other._split(collection)
        kept = words.without(other._kept(collection))
        other._shelve(collection, split, kept, self.shelf.concepts, self.shelf.vectors)
        other._weigh(collection, split, words, progress)
        return other

    def _kept(self, collection: Collection) -> Sequence[int]:
        """Judgments, by position, that are kept from the walk to learn its weights on.

        A base model knows by heart what it has learnt from: whatever it says of that, it says too surely.
        """
        permitted = trainable_judgments(collection)
        count = min(len(permitted) // KEPT_EVERY, MOST_KEPT)
        told = {at: _fact_section(collection.documents[at]) for at in permitted}
        permitted = [at for at, facts in told.items() if facts and not self.knows(facts)]
        every = max(len(permitted) // max(count, 1), 1)
        return permitted[every - 1 :: every][:count]

    def _shelve(
        self, collection: Collection, split: QuerySplit, words: Words, about: Vectors, vectors: Vectors | None
    ) -> None:
        """Puts on the shelf what may be known while weights are learnt."""
        self.lessons = Lessons.of(collection, [*split.learnt, *split.validation, *split.weighing])
        self.shelf = Shelf.of(collection, self.ids, words, self.lessons.only(split.learnt), about, vectors)

    def _weigh(self, collection: Collection, split: QuerySplit, words: Words, progress: Progress) -> None:
        """Learns the weights, then puts all there is to know on the shelf.

        Where the generator learns nothing from the training queries, the weights may learn from all of them. Where
        enough of these are new to it they choose the walk too: what ranks best is not what names charges best.
        """
        ranked = ranked_queries(self, collection, split.weighing or split.learnt, progress)
        kept = judged_texts(self, self._kept(collection), collection.documents, progress)
        tried = [*kept, *(one.tried for one in ranked if not one.known and one.tried.applies.any())]
        ways = walks(self.ids.trie, self.charge_nodes(), tried, generates=self.walks)
        if self.base and self.walks and not tried:
            ways = [replace(walk, **self.base.about.get("walk", {})) for walk in ways]
        new = sum(not one.known for one in ranked)
        self.mixture = learn_ranking(ways if new >= ENOUGH else ways[:1], ranked, self.ids.trie)
        self.shelf = Shelf.of(collection, self.ids, words, self.lessons, self.shelf.concepts, self.shelf.vectors)

    def grown(self, collection: Collection, progress: Progress = silent) -> Self:
        """The same over other documents under the same law: only those it does not know are read."""
        other = self._copy()
        other.ids = self._ids(collection)
        words = self.shelf.words.grown(collection, self.inputs, self.lessons.barred, progress)
        vectors = self.shelf.vectors_of(collection.documents, lambda new: self._encoded(new, collection.law, progress))
        about = self.shelf.concepts_of(collection.documents, words, self.concepts)
        other.shelf = Shelf.of(collection, other.ids, words, self.lessons, about, vectors)
        return other

    def knows(self, text: str) -> bool:
        """Whether the base model has learnt from a text."""
        return self.base is not None and self.base.knows(text)

    @property
    def walks(self) -> bool:
        """Whether the generator has learnt the way down this law."""
        return self.settings.epochs > 0 or (self.base is not None and self.base.knows_law(self.ids))

    def _train(
        self, collection: Collection, split: QuerySplit, asked: Sequence[str], learnt: Sequence[int], progress: Progress
    ) -> None:
        """Teaches the generator to name charges, and queries to lie near what answers them."""
        settings, read = self.settings, self.inputs.of_documents(collection.documents, collection.law)
        texts = self._examples(read, self._leaves(range(len(read))))
        objective = LexgearObjective(
            self.generator,
            self.ids,
            judgments=self._examples([asked[place] for place in learnt], [texts.leaves[place] for place in learnt]),
            queries=self._query_examples(collection, split.learnt),
            documents=texts,
            token_dropout=settings.thin,
        )

        def validate() -> float:
            self.shelf = replace(self.shelf, vectors=self._vectors(read))
            return self.mrr(collection, split.validation)

        loop = Loop(self.generator, objective, len(learnt), settings.loop(), validate, self.workspace)
        self.log = loop.run(progress)
        self.shelf = replace(self.shelf, vectors=self._vectors(read))

    def save(self, directory: Path) -> None:
        """Writes the parts of every generator, its lessons, weights and shelf."""
        super().save(directory)
        self.lessons.save(directory / LESSONS)
        self.concepts.save(directory / CONCEPTS)
        if self.charge_words:
            self.charge_words.save(directory / CHARGE_WORDS)
        write_json_list(directory / MIXTURE, [self.mixture.to_row()])
        self.shelf.save(directory)

    def save_grown(self, directory: Path) -> None:
        """Writes IDs and shelf."""
        self.ids.save(directory / IDS)
        self.shelf.save(directory)

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        ranker = super().load(directory, settings)
        ranker.lessons = Lessons.load(directory / LESSONS)
        ranker.concepts = Concepts.load(directory / CONCEPTS)
        if (directory / CHARGE_WORDS).exists():
            ranker.charge_words = ChargeWords.load(directory / CHARGE_WORDS)
        [weights] = read_json(directory / MIXTURE)
        ranker.mixture = Mixture(**weights)
        ranker.shelf = Shelf.load(directory, ranker.lessons)
        return ranker

    def _ids(self, collection: Collection) -> DocIds:
        return law_ids(collection, whole_law=True, reserve_symbols=True)

    def _encoded(self, documents: Sequence[Document], law: LawTree, progress: Progress) -> Vectors:
        """The vectors of documents; of no width where there is no encoder to ask."""
        if not self.generates:
            return np.zeros((len(documents), 0), np.float32)
        return self._vectors(self.inputs.of_documents(documents, law, progress), progress)

    def _vectors(self, texts: Sequence[str], progress: Progress = silent) -> Vectors:
        return encode_texts(self.generator, self.tokens, texts, self.settings.tokens, progress)

    def _copy(self) -> Self:
        other = type(self)(self.settings)
        vars(other).update(vars(self))
        return other

    def _leaves(self, positions: Any) -> list[NDArray[Any]]:
        return [self.ids.trie.leaves_of(position) for position in positions]


def _fact_section(document: Document) -> str:
    return document.sections.get("fact", "") or document.text
