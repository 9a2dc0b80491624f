"""DSI-QG (Zhuang et al., 2022): documents are indexed by queries written for them, not by their texts.

As in "Bridging the Gap Between Indexing and Retrieval for Differentiable Search Index with Query Generation": a query
generator learns from documents and queries and writes many queries for every document, a cross-encoder keeps the best
of them, and DSI learns the ID of a document from these: short texts in, as at search time.

Differences: if there are few labelled queries, generator and filter also learn from the documents themselves
(`writing_pairs.py`); both start from the same backbone as DSI, not from mT5 and a multilingual BERT, the filter from
the encoder of the query generator, which may copy (`model/text_generation/query_generator.py`); labelled training
queries are learnt beside the written ones; a model from scratch starts from co-occurrence vectors of tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.model.device import best_device
from lexgear.model.encoder.cross_encoder import CrossEncoder, best
from lexgear.progress import Progress
from lexgear.rankers.generative.generative_ranker import GenerativeRanker
from lexgear.rankers.generative.query_writer import QueryWriter, WritingSettings, copied
from lexgear.rankers.generative.settings import GenerativeSettings
from lexgear.rankers.generative.training_task import TrainingTask
from lexgear.rankers.model_settings import EncoderSize, TrainingSettings
from lexgear.settings import within
from lexgear.training.loop import Loop
from lexgear.training.objectives.cross_encoder import PairObjective
from lexgear.training.objectives.id_generation import IdObjective


@dataclass(frozen=True, slots=True)
class DsiQgSettings(GenerativeSettings):
    """Settings of `dsi_qg`."""

    max_length: int = 64
    """Longest input in tokens."""
    size: EncoderSize = EncoderSize(vocab_size=2000)
    training: TrainingSettings = TrainingSettings(epochs=6, batch_size=16, learning_rate=0.005)
    writing: WritingSettings = WritingSettings(queries_per_document=6)
    kept_queries: int = 3
    """Queries that each document is indexed by: the best of those written."""
    filter_epochs: int = 1
    """Epochs of the filter."""

    def __post_init__(self) -> None:
        GenerativeSettings.__post_init__(self)
        within("kept_queries", self.kept_queries, 1, self.writing.queries_per_document)
        within("filter_epochs", self.filter_epochs, 1, 10_000)


class DsiQg(GenerativeRanker):
    """Learns the ID of a document from the best of the queries written for it."""

    name = "dsi_qg"
    settings_type = DsiQgSettings
    settings: DsiQgSettings
    writes_queries = True
    filter: CrossEncoder | None = None
    """The trained filter; known after `fit`, not stored in an index."""

    def _assign_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        return self._cluster_ids(collection, texts)

    def _chosen_queries(self, task: TrainingTask, written: list[list[str]], progress: Progress) -> list[list[str]]:
        assert self.writer is not None
        self.filter = self._train_filter(self.writer, progress)
        writing, tokens = self.settings.writing, self.parts.tokens
        count = writing.queries_per_document
        queries = tokens.encode([query for row in written for query in row], writing.max_query_length)
        numbers, mask = self.parts.encode(task.texts)
        documents = np.repeat(numbers, count, axis=0), np.repeat(mask, count, axis=0)
        progress(0, 1, "filtering queries")
        scores = self.filter.scores(queries, documents, tokens.end).reshape(len(task.texts), count)
        rows = zip(written, best(scores, self.settings.kept_queries), strict=True)
        return [[row[rank] for rank in ranks] for row, ranks in rows]

    def _train_filter(self, writer: QueryWriter, progress: Progress) -> CrossEncoder:
        assert writer.model is not None
        settings = self.settings
        model = CrossEncoder(copied(writer.model.backbone, settings.size.dropout)).to(best_device())
        documents, queries = writer.pair_examples()
        owners = np.array([pair.document for pair in writer.pairs])
        objective = PairObjective(model, queries, documents, owners, self.parts.tokens.end)
        loop_settings = settings.training.loop(settings.filter_epochs, new_learning_rate=settings.decoder_learning_rate)
        loop = Loop(model, objective, len(writer.pairs), loop_settings)
        loop.pretrained = [model.embed, model.encoder]
        self.training.run(loop, progress, "filtering")
        return model

    def _train(self, task: TrainingTask, progress: Progress) -> None:
        assert self.writer is not None
        written = self.writer.examples()
        objective = IdObjective(
            self.parts.generator,
            self.parts.ids,
            kind="indexing",
            texts=written,
            extra={"retrieval": self.parts.query_examples(task.collection, task.split.learnt)},
            extra_per_batch=max(1, self.settings.training.batch_size // 4),
            children=self.settings.decoding.over_children,
        )
        self.run_loop(objective, len(written), task, progress, stage="indexing")
