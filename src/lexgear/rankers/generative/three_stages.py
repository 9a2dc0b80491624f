"""Ultron's three stages: IDs are learnt from passages and terms, then from written queries, then from labelled ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.docids.title import rank_terms
from lexgear.progress import Progress
from lexgear.rankers.generative.query_writing import QueryWritingRanker, WritingSettings
from lexgear.settings import within
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop
from lexgear.training.objectives.id_generation import IdObjective
from lexgear.training.query_split import QuerySplit

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
            extra=beside,
            extra_per_batch=max(1, settings.batch // settings.passages),
            children=self._children,
        )
        loop = Loop(self.generator, objective, len(texts), self._id_loop(epochs))
        loop.settings = replace(loop.settings, learning_rate=pace * loop.settings.learning_rate)
        loop.validate = lambda: self.mrr(collection, split.validation)
        self._trained(loop, progress, kind)

    def _passage_examples(self, texts: Sequence[str]) -> Examples:
        parts = [passages(text, self.settings.passages) for text in texts]
        return self._owned(parts)

    def _term_examples(self, collection: Collection, texts: Sequence[str]) -> Examples:
        return self._owned([[" ".join(row[:SHOWN_TERMS])] for row in ranked_terms(collection, texts)])

    def _owned(self, parts: Sequence[Sequence[str]]) -> Examples:
        """Texts of each document, by position, with its ID."""
        owners = [self.ids.trie.leaves_of(at) for at, row in enumerate(parts) for _ in row]
        return self._examples([text for row in parts for text in row], owners)


def passages(text: str, count: int) -> list[str]:
    """A text cut between sentences into so many parts of about as many sentences each; none of them empty.

    >>> passages("One. Two! Three? Four.", 2)
    ['One. Two!', ' Three? Four.']
    """
    sentences = _SENTENCE.findall(text) or [text]
    bounds = np.linspace(0, len(sentences), min(count, len(sentences)) + 1).astype(int).tolist()
    return ["".join(sentences[first:last]) for first, last in pairwise(bounds)]


def ranked_terms(collection: Collection, texts: Sequence[str]) -> list[list[str]]:
    """The terms of each document, the most telling first: those of its title, then of its text."""
    titles = [document.title for document in collection.documents]
    return rank_terms(titles, texts, collection.language)
