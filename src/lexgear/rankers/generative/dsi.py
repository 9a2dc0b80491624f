"""DSI: a sequence-to-sequence model that has learnt by heart which ID each document has (Tay et al., NeurIPS 2022).

As in "Transformer Memory as a Differentiable Search Index": IDs by hierarchical k-means; indexing from the first
tokens of a document straight to its ID; retrieval from labelled training queries, both in the same batches.

What differs: vectors for k-means come from words unless `vectors` names a BERT; digits are symbols of their own, ten
rather than the 32,000 tokens of T5, and beams never leave the IDs there are, where DSI's may end in one nobody has.
"""

from __future__ import annotations

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.progress import Progress
from lexgear.rankers.generative.id_ranker import GenerativeRanker
from lexgear.rankers.generative.id_settings import GenerativeSettings
from lexgear.training.objectives.id_generation import IdObjective
from lexgear.training.query_split import QuerySplit


class Dsi(GenerativeRanker):
    """Generates the digits of a document's place among the clusters."""

    name = "dsi"
    summary = "DSI: k-means IDs learnt from the first tokens of each document and from labelled queries"
    settings_type = GenerativeSettings
    settings: GenerativeSettings

    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        return self._clusters(collection, texts)

    def _learn(
        self, collection: Collection, split: QuerySplit, texts: list[str], epochs: int, progress: Progress
    ) -> None:
        own = [self.ids.trie.leaves_of(position) for position in range(len(texts))]
        objective = IdObjective(
            self.generator,
            self.ids,
            kind="indexing",
            texts=self._examples(texts, own),
            extra={"retrieval": self._query_examples(collection, split.learnt)},
            extra_per_batch=max(1, self.settings.batch // 4),
            children=self._children,
        )
        self._trained_ids(objective, len(texts), epochs, (collection, split), progress)
