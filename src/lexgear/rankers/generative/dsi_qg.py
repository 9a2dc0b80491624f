"""DSI-QG: documents are indexed by queries written for them, not by their texts (Zhuang et al., 2022).

As in "Bridging the Gap Between Indexing and Retrieval for Differentiable Search Index with Query Generation": a query
generator learns from documents and queries, writes many queries for every document, a cross-encoder keeps the best of
them, and DSI learns the ID of a document from these: short texts in, as at search time.

What differs: where there are few labelled queries, generator and filter also learn from the documents themselves
(`rankers/writing_pairs.py`); both start from the same backbone as DSI, not from mT5 and a multilingual BERT, the filter
from the encoder of the query generator, which may copy (`model/query_generator.py`); labelled training queries are
learnt beside those written; a model from scratch starts from vectors of tokens that stand together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.model.device import best_device
from lexgear.model.encoder.cross_encoder import CrossEncoder, best
from lexgear.progress import Progress
from lexgear.rankers.generative.query_writing import QueryWritingRanker, WritingSettings, copied
from lexgear.rankers.generative.writing_pairs import Pair
from lexgear.settings import within
from lexgear.training.loop import Loop
from lexgear.training.objectives.cross_encoder import PairObjective
from lexgear.training.objectives.id_generation import IdObjective
from lexgear.training.query_split import QuerySplit


@dataclass(frozen=True, slots=True)
class DsiQgSettings(WritingSettings):
    """Settings of `dsi_qg`."""

    epochs: int = 6
    written: int = 6
    """Queries written for each document."""
    kept: int = 3
    """Queries that each document is indexed by: the best of those written."""
    filter_epochs: int = 1
    """Epochs that the filter learns for."""

    def __post_init__(self) -> None:
        WritingSettings.__post_init__(self)
        within("kept", self.kept, 1, self.written)
        within("filter_epochs", self.filter_epochs, 1, 10_000)


class DsiQg(QueryWritingRanker):
    """Learns the ID of a document from the best of the queries written for it."""

    name = "dsi_qg"
    summary = "DSI-QG: DSI that learns documents by queries a trained generator wrote and a trained filter kept"
    settings_type = DsiQgSettings
    settings: DsiQgSettings
    filter: CrossEncoder | None = None
    """After `fit`; an index has no need of it."""

    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        return self._clusters(collection, texts)

    def _chosen(
        self, texts: Sequence[str], pairs: Sequence[Pair], written: list[list[str]], progress: Progress
    ) -> list[list[str]]:
        self.filter = self._taught_filter(pairs, progress)
        count, settings = self.settings.written, self.settings
        asked = self.tokens.encode([query for row in written for query in row], settings.query_tokens)
        numbers, mask = self.tokens.encode(texts, settings.tokens)
        shown = np.repeat(numbers, count, axis=0), np.repeat(mask, count, axis=0)
        progress(0, 1, "filtering queries")
        scores = self.filter.scores(asked, shown, self.tokens.end).reshape(len(texts), count)
        rows = zip(written, best(scores, settings.kept), strict=True)
        return [[row[place] for place in places] for row, places in rows]

    def _taught_filter(self, pairs: Sequence[Pair], progress: Progress) -> CrossEncoder:
        assert self.writer is not None
        settings = self.settings
        reader = CrossEncoder(copied(self.writer.backbone, settings.dropout)).to(best_device())
        documents, queries = self._pair_examples(pairs)
        owners = np.array([pair.document for pair in pairs])
        objective = PairObjective(reader, queries, documents, owners, self.tokens.end)
        self._trained(Loop(reader, objective, len(pairs), settings.loop(settings.filter_epochs)), progress, "filtering")
        return reader

    def _learn(
        self, collection: Collection, split: QuerySplit, texts: list[str], epochs: int, progress: Progress
    ) -> None:
        written = self._written_examples()
        objective = IdObjective(
            self.generator,
            self.ids,
            kind="indexing",
            texts=written,
            extra={"retrieval": self._query_examples(collection, split.learnt)},
            extra_per_batch=max(1, self.settings.batch // 4),
            children=self._children,
        )
        self._trained_ids(objective, len(written), epochs, (collection, split), progress, "indexing")
