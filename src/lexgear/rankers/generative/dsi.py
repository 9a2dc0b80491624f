"""DSI (Tay et al., NeurIPS 2022): a sequence-to-sequence model that memorises which ID each document has.

As in "Transformer Memory as a Differentiable Search Index": IDs by hierarchical k-means; indexing from the first
tokens of a document straight to its ID; retrieval from labelled training queries, both in the same batches.

Differences: vectors for k-means come from words unless `vectors` names a BERT; digits are symbols of their own, ten
rather than the 32,000 tokens of T5; beams never leave the existing IDs, while those of DSI may end in an unknown ID.
"""

from __future__ import annotations

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.progress import Progress
from lexgear.rankers.generative.generative_ranker import GenerativeRanker
from lexgear.rankers.generative.settings import GenerativeSettings
from lexgear.rankers.generative.training_task import TrainingTask
from lexgear.training.objectives.id_generation import IdObjective


class Dsi(GenerativeRanker):
    """Generates the digits of a document's cluster path."""

    name = "dsi"
    settings_type = GenerativeSettings
    settings: GenerativeSettings

    def _assign_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        return self._cluster_ids(collection, texts)

    def _train(self, task: TrainingTask, progress: Progress) -> None:
        parts = self.parts
        objective = IdObjective(
            parts.generator,
            parts.ids,
            kind="indexing",
            texts=parts.examples(task.texts, parts.own_leaves(range(len(task.texts)))),
            extra={"retrieval": parts.query_examples(task.collection, task.split.learnt)},
            extra_per_batch=max(1, self.settings.training.batch_size // 4),
            children=self.settings.decoding.over_children,
        )
        self.run_loop(objective, len(task.texts), task, progress)
