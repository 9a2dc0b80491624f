"""Ultron (Zhou et al., 2022): IDs of quantised vectors or of distinctive terms, learnt in three stages.

As in "Ultron: An Ultimate Retriever on Corpus with a Model-based Indexer": semantic IDs, either the code words of a
product quantisation (`ultron`) or terms (`ultron_terms`); general pretraining from passages and from terms of a
document to its ID, search-oriented pretraining from queries written for it, then fine-tuning on labelled queries alone.

Differences: judgments and articles have no URL, so terms come from titles, and from texts if titles are alike or
missing; a term is one symbol, not several tokens of T5; vectors come from words unless `vectors` names a BERT, and are
cut into fewer sub-spaces, for hundreds of documents rather than hundreds of thousands; the query generator starts from
the same backbone, and learns from the documents themselves if labelled queries are few; each stage learns more gently
than the one before; a model from scratch starts from co-occurrence vectors of tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.docids.quantized import Codebook, quantized_ids
from lexgear.docids.title import term_ids
from lexgear.progress import Progress
from lexgear.rankers.generative.generative_ranker import GenerativeRanker
from lexgear.rankers.generative.query_writer import WritingSettings
from lexgear.rankers.generative.settings import GenerativeSettings
from lexgear.rankers.generative.training_stages import StageSettings, ranked_terms, train_in_stages
from lexgear.rankers.generative.training_task import TrainingTask
from lexgear.rankers.model_settings import EncoderSize, TrainingSettings
from lexgear.settings import within

_SIZE = EncoderSize(vocab_size=2000)
_TRAINING = TrainingSettings(epochs=4, batch_size=16, learning_rate=0.005)


@dataclass(frozen=True, slots=True)
class UltronSettings(GenerativeSettings):
    """Settings of `ultron`."""

    max_length: int = 64
    """Longest input in tokens."""
    size: EncoderSize = _SIZE
    training: TrainingSettings = _TRAINING
    writing: WritingSettings = WritingSettings()
    stages: StageSettings = StageSettings()
    subspaces: int = 4
    """Parts that a vector is cut into, and code words in an ID."""
    codewords: int = 32
    """Clusters of each part."""

    def __post_init__(self) -> None:
        GenerativeSettings.__post_init__(self)
        within("subspaces", self.subspaces, 1, 10_000)
        within("codewords", self.codewords, 2, 1_000_000)


@dataclass(frozen=True, slots=True)
class UltronTermsSettings(GenerativeSettings):
    """Settings of `ultron_terms`."""

    max_length: int = 64
    """Longest input in tokens."""
    size: EncoderSize = _SIZE
    training: TrainingSettings = _TRAINING
    writing: WritingSettings = WritingSettings()
    stages: StageSettings = StageSettings()
    terms: int = 6
    """Terms in an ID; up to twice as many if other documents have the same terms."""

    def __post_init__(self) -> None:
        GenerativeSettings.__post_init__(self)
        within("terms", self.terms, 1, 10_000)


class Ultron(GenerativeRanker):
    """Generates the code words of a document's vector."""

    name = "ultron"
    settings_type = UltronSettings
    settings: UltronSettings
    writes_queries = True
    codebook: Codebook | None = None
    """The code words; known after `fit`, not stored in an index."""

    def _assign_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        vectors, settings = self._vectors(collection, texts), self.settings
        self.codebook = Codebook.of(
            vectors, subspaces=settings.subspaces, codewords=settings.codewords, seed=settings.training.seed
        )
        return quantized_ids(self.codebook.encode(vectors), ids=[document.id for document in collection.documents])

    def _train(self, task: TrainingTask, progress: Progress) -> None:
        train_in_stages(self, self.settings.stages, task, progress)


class UltronTerms(GenerativeRanker):
    """Generates the most distinctive terms of a document."""

    name = "ultron_terms"
    settings_type = UltronTermsSettings
    settings: UltronTermsSettings
    writes_queries = True

    def _assign_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        names = [document.id for document in collection.documents]
        return term_ids(ranked_terms(collection, texts), self.settings.terms, ids=names)

    def _train(self, task: TrainingTask, progress: Progress) -> None:
        train_in_stages(self, self.settings.stages, task, progress)
