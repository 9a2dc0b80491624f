"""NCI (Wang et al., NeurIPS 2022): a prefix-aware decoder that learns clusters from written queries and passages.

As in "A Neural Corpus Indexer for Document Retrieval": IDs by hierarchical k-means; documents are learnt from queries
that a generator wrote and from passages of their own texts, the first one among them; a digit has its own symbol at
every level; the output weights are adapted to the query and the ID so far by a decoder of up to four layers
(`model/generator/pawa.py`); each text is read twice under dropout, and the decoder's states of both readings are pulled
together against those of other texts (`training/objectives/consistency.py`); beam search never leaves the existing IDs.

Differences: the adaptive decoder changes the weights through the diagonal of a product, not by an arbitrary matrix; the
query generator starts from the same backbone, not from docT5query, and learns from the documents themselves if labelled
queries are few; vectors for k-means come from words unless `vectors` names a BERT; labelled training queries are learnt
beside documents; fewer passages and epochs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from safetensors import safe_open

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory
from lexgear.model.generator.pawa import PawaGenerator
from lexgear.progress import Progress
from lexgear.rankers.generative.generative_ranker import GenerativeRanker
from lexgear.rankers.generative.generator_parts import MODEL
from lexgear.rankers.generative.query_writer import WHOLE_TEXT, WritingSettings
from lexgear.rankers.generative.settings import GenerativeSettings
from lexgear.rankers.generative.training_task import TrainingTask
from lexgear.rankers.model_settings import EncoderSize, TrainingSettings
from lexgear.settings import within
from lexgear.training.examples import Examples, concatenate_examples
from lexgear.training.objectives.consistency import ConsistencyObjective


@dataclass(frozen=True, slots=True)
class NciSettings(GenerativeSettings):
    """Settings of `nci`. Dropout makes the two readings of a text differ."""

    max_length: int = 64
    """Longest input in tokens."""
    size: EncoderSize = EncoderSize(vocab_size=2000, dropout=0.1)
    training: TrainingSettings = TrainingSettings(epochs=4, batch_size=16, learning_rate=0.005)
    writing: WritingSettings = WritingSettings(queries_per_document=2)
    pieces: int = 2
    """Passages that each document is learnt from besides: its beginning, and others drawn at random."""
    consistency: float = 0.15
    """Weight of the loss that pulls two readings of a text together. Paper: 0.15."""

    def __post_init__(self) -> None:
        GenerativeSettings.__post_init__(self)
        within("pieces", self.pieces, 1, 10_000)
        within("consistency", self.consistency, 0, 1000)


class Nci(GenerativeRanker):
    """Generates digits of clusters, with output weights that depend on the digits before."""

    name = "nci"
    settings_type = NciSettings
    settings: NciSettings
    generator_type = PawaGenerator
    writes_queries = True

    @property
    def _scores_whole_tree(self) -> bool:
        return False  # one pass over the whole tree would bypass the adaptive layer

    def _assign_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        return self._cluster_ids(collection, texts, by_level=True)

    def _train(self, task: TrainingTask, progress: Progress) -> None:
        assert self.writer is not None
        documents = concatenate_examples(self.writer.examples(), self._passages(task.texts))
        objective = ConsistencyObjective(
            self.parts.generator,
            self.parts.ids,
            kind="indexing",
            texts=documents,
            extra={"retrieval": self.parts.query_examples(task.collection, task.split.learnt)},
            extra_per_batch=max(1, self.settings.training.batch_size // 4),
            children=self.settings.decoding.over_children,
            weight=self.settings.consistency,
        )
        self.run_loop(objective, len(documents), task, progress, stage="indexing")

    def _passages(self, texts: Sequence[str]) -> Examples:
        """Return runs of tokens of each document, from its beginning and from random positions."""
        pieces, length = self.settings.pieces, self.parts.max_length
        numbers, mask = self.parts.tokens.encode(texts, max(WHOLE_TEXT, length))
        latest = np.maximum(mask.sum(1) - length, 0)
        rng = np.random.default_rng(self.settings.training.seed)
        starts = rng.integers(0, latest[:, None] + 1, size=(len(texts), pieces))
        starts[:, 0] = 0
        width = min(length, numbers.shape[1])
        columns = (starts[:, :, None] + np.arange(width)).reshape(-1, width)
        rows = np.repeat(np.arange(len(texts)), pieces)
        leaves = self.parts.own_leaves(rows.tolist())
        return Examples(numbers[rows[:, None], columns], mask[rows[:, None], columns], leaves)

    @classmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote; raise `InputError` if its adaptive layer is that of an earlier version."""
        with safe_open(directory / MODEL, framework="pt") as weights:
            if "adapter.symbols.weight" in weights.keys():  # noqa: SIM118 (not a mapping)
                raise InputError(
                    "an index of nci with the adaptive layer of an earlier version, which read the prefix alone",
                    code=ErrorCode.INDEX_OUTDATED,
                    remedy="train it again",
                )
        return super().load(directory, settings)
