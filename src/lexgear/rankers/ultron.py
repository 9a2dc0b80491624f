"""Ultron: IDs of quantised vectors or of telling terms, learnt in three stages (Zhou et al., 2022).

As in "Ultron: An Ultimate Retriever on Corpus with a Model-based Indexer": IDs that say something, either the code
words of a product quantisation (`ultron`) or terms (`ultron_terms`); first general pretraining from passages and from
terms of a document to its ID, then search-oriented pretraining from queries that were written for it, at last
fine-tuning on labelled queries alone.

What differs: judgments and articles have no URL, so that terms come from titles, and from texts where titles are alike
or missing; a term is one symbol, not some tokens of T5; vectors come from words unless `vectors` names a BERT, and are
cut into fewer sub-spaces, for hundreds of documents rather than hundreds of thousands; the query generator starts from
the same backbone, and learns from the documents themselves where labelled queries are few; each stage learns more
gently than the one before; a model from scratch starts from vectors of tokens that stand together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.docids.quantized import Codebook, quantized_ids
from lexgear.docids.title import telling_terms, term_ids
from lexgear.progress import Progress
from lexgear.rankers.limits import within
from lexgear.rankers.query_writing import QueryWritingRanker, WritingSettings
from lexgear.training.examples import Examples
from lexgear.training.id_objective import IdObjective
from lexgear.training.loop import Loop
from lexgear.training.queries import QuerySplit

SHOWN_TERMS = 24
"""Terms of a document that lead to its ID: beyond them come words that many have."""
NOTHING: Mapping[str, Examples] = MappingProxyType({})
_SENTENCE = re.compile(r"[^。；！？.;!?\n]+[。；！？.;!?\n]*")


@dataclass(frozen=True, slots=True)
class StagesSettings(WritingSettings):
    """How long each stage lasts."""

    epochs: int = 4
    """Epochs of general pretraining."""
    passages: int = 3
    """Parts that a document is cut into for it."""
    search_epochs: int = 2
    """Epochs of search-oriented pretraining, over the queries written."""
    tuning_epochs: int = 5
    """Epochs of fine-tuning on labelled queries; `taught_epochs` where they are taught later."""
    search_pace: float = 0.25
    """Share of the rate of general pretraining for search-oriented pretraining: what a small generator writes is rough,
    and learnt as fast made documents forgotten (nDCG@10 of training queries held out .19 before, .07 after)."""
    tuning_pace: float = 0.15
    """Share of it for fine-tuning: few queries, learnt fast, make the documents forgotten too."""

    def __post_init__(self) -> None:
        WritingSettings.__post_init__(self)
        for name in ("passages", "search_epochs", "tuning_epochs"):
            within(name, getattr(self, name), 1, 100_000)
        for name in ("search_pace", "tuning_pace"):
            within(name, getattr(self, name), 0, 1)


@dataclass(frozen=True, slots=True)
class UltronSettings(StagesSettings):
    """Settings of `ultron`."""

    subspaces: int = 4
    """Parts that a vector is cut into, and code words in an ID."""
    codewords: int = 32
    """Clusters of each part."""

    def __post_init__(self) -> None:
        StagesSettings.__post_init__(self)
        within("subspaces", self.subspaces, 1, 10_000)
        within("codewords", self.codewords, 2, 1_000_000)


@dataclass(frozen=True, slots=True)
class UltronTermsSettings(StagesSettings):
    """Settings of `ultron_terms`."""

    terms: int = 6
    """Terms in an ID; more, up to twice as many, where others have the same."""

    def __post_init__(self) -> None:
        StagesSettings.__post_init__(self)
        within("terms", self.terms, 1, 10_000)


class ThreeStages(QueryWritingRanker):
    """Learns IDs from passages and terms, then from written queries, then from labelled ones."""

    settings: StagesSettings

    def _learn(
        self, collection: Collection, split: QuerySplit, texts: list[str], epochs: int, progress: Progress
    ) -> None:
        settings, asked = self.settings, (collection, split)
        if not self.teaching:
            terms, written = {"terms": self._term_examples(collection, texts)}, self._written_examples()
            self._stage("passages", self._passage_examples(texts), (epochs, 1.0), asked, progress, terms)
            self._stage("written", written, (settings.search_epochs, settings.search_pace), asked, progress)
        if split.learnt:
            queries = self._query_examples(collection, split.learnt)
            length = epochs if self.teaching else settings.tuning_epochs
            self._stage("retrieval", queries, (length, settings.tuning_pace), asked, progress)

    def _stage(
        self,
        kind: str,
        texts: Examples,
        length: tuple[int, float],
        asked: tuple[Collection, QuerySplit],
        progress: Progress,
        beside: Mapping[str, Examples] = NOTHING,
    ) -> None:
        """One kind of text in, IDs out, for so many epochs at such a pace; the loss has its name."""
        settings, (epochs, pace), (collection, split) = self.settings, length, asked
        objective = IdObjective(
            self.generator,
            self.ids,
            kind=kind,
            texts=texts,
            beside=beside,
            beside_a_batch=max(1, settings.batch // settings.passages),
            children=self._children,
        )
        loop = Loop(self.generator, objective, len(texts), self._id_loop(epochs))
        loop.settings = replace(loop.settings, rate=pace * loop.settings.rate)
        loop.validate = lambda: self.mrr(collection, split.validation)
        self._trained(loop, progress, kind)

    def _passage_examples(self, texts: Sequence[str]) -> Examples:
        parts = [passages(text, self.settings.passages) for text in texts]
        return self._owned(parts)

    def _term_examples(self, collection: Collection, texts: Sequence[str]) -> Examples:
        return self._owned([[" ".join(row[:SHOWN_TERMS])] for row in _ranked(collection, texts)])

    def _owned(self, parts: Sequence[Sequence[str]]) -> Examples:
        """Texts of each document, by position, with its ID."""
        owners = [self.ids.trie.leaves_of(at) for at, row in enumerate(parts) for _ in row]
        return self._examples([text for row in parts for text in row], owners)


class Ultron(ThreeStages):
    """Generates the code words of a document's vector."""

    name = "ultron"
    summary = "Ultron: product-quantised IDs learnt from passages and terms, then from written, then labelled queries"
    settings_type = UltronSettings
    settings: UltronSettings
    codebook: Codebook | None = None
    """After `fit`; an index has no need of it."""

    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        vectors, settings = self._vectors(collection, texts), self.settings
        self.codebook = Codebook.of(
            vectors, subspaces=settings.subspaces, codewords=settings.codewords, seed=settings.seed
        )
        return quantized_ids(self.codebook.encode(vectors), ids=[document.id for document in collection.documents])


class UltronTerms(ThreeStages):
    """Generates the most telling terms of a document."""

    name = "ultron_terms"
    summary = "Ultron with IDs of terms: the telling words of a document's title and text, learnt in the same stages"
    settings_type = UltronTermsSettings
    settings: UltronTermsSettings

    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        names = [document.id for document in collection.documents]
        return term_ids(_ranked(collection, texts), self.settings.terms, ids=names)


def passages(text: str, count: int) -> list[str]:
    """A text cut between sentences into so many parts of about as many sentences each; none of them empty.

    >>> passages("One. Two! Three? Four.", 2)
    ['One. Two!', ' Three? Four.']
    """
    sentences = _SENTENCE.findall(text) or [text]
    bounds = np.linspace(0, len(sentences), min(count, len(sentences)) + 1).astype(int).tolist()
    return ["".join(sentences[first:last]) for first, last in pairwise(bounds)]


def _ranked(collection: Collection, texts: Sequence[str]) -> list[list[str]]:
    titles = [document.title for document in collection.documents]
    return telling_terms(titles, texts, collection.language)
