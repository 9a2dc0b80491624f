"""GEAR (Qin et al., SIGIR 2024): rationales in, IDs of the law tree out.

f_R extracts what matters, f_T places every document under its charges, and a sequence-to-sequence model learns the IDs
with L_i + L_r + λ_l·L_c. The default is a compact model trained from scratch that differs from the paper in a few
points; `docs/settings.md` lists them and how to switch each one back.
"""

from __future__ import annotations

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.docids.law import law_ids
from lexgear.progress import Progress
from lexgear.rankers.charge_predictor import ChargePredictor
from lexgear.rankers.generative.gear_predictor import GearPredictor
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.generative.generative_ranker import GenerativeRanker
from lexgear.rankers.generative.training_task import TrainingTask
from lexgear.training.examples import concatenate_examples
from lexgear.training.objectives.gear import GearObjective
from lexgear.training.query_split import trainable_judgments


class Gear(GenerativeRanker):
    """Generates document IDs down the law tree."""

    name = "gear"
    settings_type = GearSettings
    settings: GearSettings

    def _assign_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        if self.settings.ids == "law":
            return law_ids(collection, shape=self.settings.id_shape)
        return self._cluster_ids(collection, texts)

    def _document_symbols(self, ids: DocIds) -> int:
        # Digits of k-means stand for clusters and for documents in them; under the law a document has its own symbol.
        return ids.document_count if self.settings.ids == "law" else 0

    def can_judge(self) -> bool:
        """Return whether IDs lead through the law, so that the generated nodes are a judgment."""
        return self.settings.ids == "law"

    def charge_predictor(self) -> ChargePredictor:
        """Return the generator as a model that predicts charges."""
        if not self.can_judge():
            return super().charge_predictor()
        return GearPredictor(self.parts, self.settings.decoding, self._walk)

    def _train(self, task: TrainingTask, progress: Progress) -> None:
        settings, parts, documents = self.settings, self.parts, task.collection.documents
        own = parts.own_leaves(range(len(documents)))
        queries = parts.query_examples(task.collection, task.split.learnt)
        # A few real queries would drown among the judgments once the documents are known.
        if settings.judgments_as_queries and not task.documents_known:
            chosen = trainable_judgments(task.collection)
            texts = parts.inputs.of_judgments_as_queries([documents[position] for position in chosen], progress)
            queries = concatenate_examples(parts.examples(texts, [own[position] for position in chosen]), queries)
        objective = GearObjective(
            parts.generator,
            parts.ids,
            documents=parts.examples(task.texts, own),
            queries=queries,
            settings=settings.losses,
            queries_per_batch=max(1, settings.training.batch_size // 2),
            beams=settings.num_train_beams,
            children=settings.decoding.over_children,
        )
        self.run_loop(objective, len(documents), task, progress)
