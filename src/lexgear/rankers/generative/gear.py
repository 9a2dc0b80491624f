"""GEAR as its paper has it: rationales in, IDs of the law tree out (Qin et al., SIGIR 2024).

f_R extracts what matters, f_T hangs every document under its charges, and a sequence-to-sequence model learns the
IDs with L_i + L_r + λ_l·L_c. By default it is a compact one, trained from scratch, and differs from the paper where
that is better; `docs/settings.md` says where, and how each difference is switched back.
"""

from __future__ import annotations

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.docids.law import law_ids
from lexgear.progress import Progress
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.generative.id_ranker import GenerativeRanker
from lexgear.training.examples import concatenate_examples
from lexgear.training.objectives.gear import GearObjective
from lexgear.training.query_split import QuerySplit, trainable_judgments


class Gear(GenerativeRanker):
    """Generates document IDs down the law tree."""

    name = "gear"
    summary = "GEAR: rationale, law tree, generator, three losses; from scratch or from a T5 checkpoint"
    settings_type = GearSettings
    settings: GearSettings

    def _learn(
        self, collection: Collection, split: QuerySplit, texts: list[str], epochs: int, progress: Progress
    ) -> None:
        settings, documents = self.settings, collection.documents
        own = [self.ids.trie.leaves_of(position) for position in range(len(documents))]
        queries = self._query_examples(collection, split.learnt)
        if settings.judgments_as_queries and not self.teaching:  # or a few real queries would drown among them
            chosen = trainable_judgments(collection)
            shown = self.inputs.of_judgments_as_queries([documents[place] for place in chosen], progress)
            queries = concatenate_examples(self._examples(shown, [own[place] for place in chosen]), queries)
        objective = GearObjective(
            self.generator,
            self.ids,
            documents=self._examples(texts, own),
            queries=queries,
            settings=settings.losses(),
            queries_per_batch=max(1, settings.batch // 2),
            beams=settings.train_beams,
            children=self._children,
        )
        self._trained_ids(objective, len(documents), epochs, (collection, split), progress)

    def _document_symbols(self) -> int:
        # The digits of k-means stand for clusters and for documents in them; in the law a document has its own symbol.
        return self.ids.document_count if self.settings.ids == "law" else 0

    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        """Those of the law, or of clusters of what the model reads."""
        if self.settings.ids == "law":
            return law_ids(collection, shape=self.settings.shape)
        return self._clusters(collection, texts)
