"""The three training stages of Ultron: passages and terms, then written queries, then labelled queries."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.docids.title import rank_terms
from lexgear.progress import Progress
from lexgear.rankers.generative.generative_ranker import GenerativeRanker
from lexgear.rankers.generative.generator_parts import GeneratorParts
from lexgear.rankers.generative.training_task import TrainingTask
from lexgear.settings import within
from lexgear.training.examples import Examples
from lexgear.training.objectives.id_generation import IdObjective

SHOWN_TERMS = 24
"""Terms of a document that lead to its ID; further terms are shared by many documents."""
NO_EXAMPLES: Mapping[str, Examples] = MappingProxyType({})
_SENTENCE = re.compile(r"[^。；！？.;!?\n]+[。；！？.;!?\n]*")


@dataclass(frozen=True, slots=True)
class StageSettings:
    """Length and learning rate of each stage; general pretraining lasts `epochs` epochs."""

    passages: int = 3
    """Parts that a document is cut into for general pretraining."""
    search_epochs: int = 2
    """Epochs of search-oriented pretraining on the written queries."""
    tuning_epochs: int = 5
    """Epochs of fine-tuning on labelled queries; `query_epochs` if the documents were learnt before."""
    search_rate_factor: float = 0.25
    """Factor of the learning rate for search-oriented pretraining. The queries of a small generator are rough: at the
    full rate the documents were forgotten (nDCG@10 of held-out training queries .19 before, .07 after)."""
    tuning_rate_factor: float = 0.15
    """Factor of the learning rate for fine-tuning: a few queries at a high rate also make the model forget."""

    def __post_init__(self) -> None:
        for name in ("passages", "search_epochs", "tuning_epochs"):
            within(name, getattr(self, name), 1, 100_000)
        for name in ("search_rate_factor", "tuning_rate_factor"):
            within(name, getattr(self, name), 0, 1)


def train_in_stages(ranker: GenerativeRanker, stages: StageSettings, task: TrainingTask, progress: Progress) -> None:
    """Train a ranker that writes queries: on passages and terms, on the written queries, then on labelled ones."""
    assert ranker.writer is not None
    parts, rate = ranker.parts, ranker.writer.id_learning_rate()

    def stage(
        kind: str, texts: Examples, epochs: int, rate_factor: float, beside: Mapping[str, Examples] = NO_EXAMPLES
    ) -> None:
        objective = IdObjective(
            parts.generator,
            parts.ids,
            kind=kind,
            texts=texts,
            extra=beside,
            extra_per_batch=max(1, ranker.settings.training.batch_size // stages.passages),
            children=ranker.settings.decoding.over_children,
        )
        ranker.run_loop(
            objective, len(texts), task, progress, epochs=epochs, learning_rate=rate_factor * rate, stage=kind
        )

    if not task.documents_known:
        beside = {"terms": term_examples(parts, task.collection, task.texts)}
        written = ranker.writer.examples()
        stage("passages", passage_examples(parts, task.texts, stages.passages), task.epochs, 1.0, beside)
        stage("written", written, stages.search_epochs, stages.search_rate_factor)
    if task.split.learnt:
        queries = parts.query_examples(task.collection, task.split.learnt)
        epochs = task.epochs if task.documents_known else stages.tuning_epochs
        stage("retrieval", queries, epochs, stages.tuning_rate_factor)


def passages(text: str, count: int) -> list[str]:
    """Cut a text between sentences into `count` parts of about as many sentences each; none of them is empty.

    >>> passages("One. Two! Three? Four.", 2)
    ['One. Two!', ' Three? Four.']
    """
    sentences = _SENTENCE.findall(text) or [text]
    bounds = np.linspace(0, len(sentences), min(count, len(sentences)) + 1).astype(int).tolist()
    return ["".join(sentences[first:last]) for first, last in pairwise(bounds)]


def ranked_terms(collection: Collection, texts: Sequence[str]) -> list[list[str]]:
    """Return the terms of each document, most distinctive first: those of its title, then of its text."""
    titles = [document.title for document in collection.documents]
    return rank_terms(titles, texts, collection.language)


def term_examples(parts: GeneratorParts, collection: Collection, texts: Sequence[str]) -> Examples:
    """Return the most distinctive terms of each document as examples that lead to its ID."""
    return _owned(parts, [[" ".join(row[:SHOWN_TERMS])] for row in ranked_terms(collection, texts)])


def passage_examples(parts: GeneratorParts, texts: Sequence[str], count: int) -> Examples:
    """Return the passages of each document as examples that lead to its ID."""
    return _owned(parts, [passages(text, count) for text in texts])


def _owned(parts: GeneratorParts, texts: Sequence[Sequence[str]]) -> Examples:
    """Return texts of each document, by position, as examples that lead to its ID."""
    leaves = parts.own_leaves([at for at, row in enumerate(texts) for _ in row])
    return parts.examples([text for row in texts for text in row], leaves)
