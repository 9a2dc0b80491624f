"""DSI: a sequence-to-sequence model that has learnt by heart which ID each document has (Tay et al., NeurIPS 2022).

As in "Transformer Memory as a Differentiable Search Index": IDs by hierarchical k-means; indexing from the first
tokens of a document straight to its ID; retrieval from labelled training queries, both in the same batches.

What differs: vectors for k-means come from words unless `vectors` names a BERT; digits are symbols of their own, ten
rather than the 32,000 tokens of T5, and beams never leave the IDs there are, where DSI's may end in one nobody has.
"""

from __future__ import annotations

from dataclasses import dataclass

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.docids.kmeans import kmeans_ids
from lexgear.progress import Progress
from lexgear.rankers.generative import GenerativeRanker
from lexgear.rankers.generative_settings import GenerativeSettings
from lexgear.rankers.limits import within
from lexgear.training.id_objective import IdObjective
from lexgear.training.loop import Loop
from lexgear.training.queries import QuerySplit


@dataclass(frozen=True, slots=True)
class DsiSettings(GenerativeSettings):
    """Settings of `dsi`."""

    branching: int = 10
    """Clusters that k-means makes of one."""
    leaf_size: int = 10
    """Documents in the last clusters, at most."""
    queries_a_batch: int = 8
    """Labelled queries learnt beside each batch of documents."""

    def __post_init__(self) -> None:
        GenerativeSettings.__post_init__(self)
        within("branching", self.branching, 2, 1000)
        within("leaf_size", self.leaf_size, 1, 1000)
        within("queries_a_batch", self.queries_a_batch, 1, 100_000)


class Dsi(GenerativeRanker):
    """Generates the digits of a document's place among the clusters."""

    name = "dsi"
    summary = "DSI: k-means IDs learnt from the first tokens of each document and from labelled queries"
    settings_type = DsiSettings
    settings: DsiSettings

    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        settings, names = self.settings, [document.id for document in collection.documents]
        return kmeans_ids(
            self._vectors(collection, texts),
            branching=settings.branching,
            leaf_size=settings.leaf_size,
            seed=settings.seed,
            ids=names,
        )

    def _learn(
        self, collection: Collection, split: QuerySplit, texts: list[str], epochs: int, progress: Progress
    ) -> None:
        own = [self.ids.trie.leaves_of(position) for position in range(len(texts))]
        documents, settings = self._examples(texts, own), self.settings
        objective = IdObjective(
            self.generator,
            self.ids,
            kind="indexing",
            texts=documents,
            beside={"retrieval": self._query_examples(collection, split.learnt)},
            beside_a_batch=settings.queries_a_batch,
            children=self._children,
        )
        self._trained(
            Loop(
                self.generator,
                objective,
                len(documents),
                settings.loop(epochs),
                validate=lambda: self.mrr(collection, split.validation),
            ),
            progress,
        )
