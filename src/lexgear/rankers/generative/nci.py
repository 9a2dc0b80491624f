"""NCI: a prefix-aware decoder that learns clusters from written queries and pieces of text (Wang et al., NeurIPS 2022).

As in "A Neural Corpus Indexer for Document Retrieval": IDs of hierarchical k-means; documents are learnt by queries
that a generator wrote and by pieces of their own texts, the first one among them; the output weights of a symbol are
adapted to the ID so far (`model/pawa.py`); each text is read twice under dropout, and the decoder's states of both are
pulled together against those of other texts (`training/consistency.py`); beam search never leaves the IDs there are.

What differs: the adaptive layer reads the prefix alone, not the query beside it; a digit has the same input at every
level, its level being known to both decoders; the query generator starts from the same backbone, not from docT5query,
and learns from the documents themselves where labelled queries are few; vectors for k-means come from words unless
`vectors` names a BERT; labelled training queries are learnt beside documents; fewer pieces and epochs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.model.checkpoints import Backbone
from lexgear.model.device import best_device
from lexgear.model.generator.generator import Generator
from lexgear.model.generator.pawa import PawaGenerator
from lexgear.model.generator.walk import ModelWalk
from lexgear.progress import Progress
from lexgear.rankers.generative.query_writing import WHOLE, QueryWritingRanker, WritingSettings
from lexgear.search.scorer import Walk
from lexgear.settings import within
from lexgear.training.examples import Examples, concatenate_examples
from lexgear.training.objectives.consistency import ConsistencyObjective
from lexgear.training.query_split import QuerySplit


@dataclass(frozen=True, slots=True)
class NciSettings(WritingSettings):
    """Settings of `nci`."""

    epochs: int = 4
    dropout: float = 0.1
    """Share of the states left out: what makes two readings of a text differ."""
    written: int = 2
    """Queries written for each document."""
    pieces: int = 2
    """Pieces of its text that each document is learnt by, besides: its beginning, and others drawn at random."""
    consistency: float = 0.15
    """Weight of the loss that pulls two readings of a text together. Paper: 0.15."""

    def __post_init__(self) -> None:
        WritingSettings.__post_init__(self)
        within("pieces", self.pieces, 1, 10_000)
        within("consistency", self.consistency, 0, 1000)


class Nci(QueryWritingRanker):
    """Generates digits of clusters, with output weights that follow from the digits before."""

    name = "nci"
    summary = "NCI: k-means IDs, a prefix-aware decoder, written queries and pieces of text, consistency under dropout"
    settings_type = NciSettings
    settings: NciSettings

    def _new_ids(self, collection: Collection, texts: list[str]) -> DocIds:
        return self._clusters(collection, texts)

    def _new_generator(self, backbone: Backbone) -> Generator:
        return PawaGenerator(backbone, self.ids.law_symbols, self._document_symbols(), summary=self.summary_of_text)

    def _place(self, backbone: Backbone | None) -> None:
        super()._place(backbone)
        if self.base:  # whose generator is a plain one
            adaptive = self._new_generator(self.generator.backbone)
            adaptive.load_state_dict(self.generator.state_dict(), strict=False)
            self.generator = adaptive.eval().to(best_device())

    def _walk(self, shown: str) -> Walk:
        # Node by node on a GPU too: the whole tree at once would pass the adaptive layer by.
        read = self.generator.read_only(*self.tokens.encode([shown], self.settings.tokens))
        return ModelWalk(self.generator, self.ids.trie, read, 0, children=self._children)

    def _learn(
        self, collection: Collection, split: QuerySplit, texts: list[str], epochs: int, progress: Progress
    ) -> None:
        documents = concatenate_examples(self._written_examples(), self._piece_examples(texts))
        objective = ConsistencyObjective(
            self.generator,
            self.ids,
            kind="indexing",
            texts=documents,
            extra={"retrieval": self._query_examples(collection, split.learnt)},
            extra_per_batch=max(1, self.settings.batch // 4),
            children=self._children,
            weight=self.settings.consistency,
        )
        self._trained_ids(objective, len(documents), epochs, (collection, split), progress, "indexing")

    def _piece_examples(self, texts: Sequence[str]) -> Examples:
        """So many tokens in a row of each document, from its beginning and from places drawn at random."""
        settings = self.settings
        numbers, mask = self.tokens.encode(texts, max(WHOLE, settings.tokens))
        latest = np.maximum(mask.sum(1) - settings.tokens, 0)
        chance = np.random.default_rng(settings.seed)
        starts = chance.integers(0, latest[:, None] + 1, size=(len(texts), settings.pieces))
        starts[:, 0] = 0
        width = min(settings.tokens, numbers.shape[1])
        places = (starts[:, :, None] + np.arange(width)).reshape(-1, width)
        rows = np.repeat(np.arange(len(texts)), settings.pieces)
        leaves = [self.ids.trie.leaves_of(int(row)) for row in rows]
        return Examples(numbers[rows[:, None], places], mask[rows[:, None], places], leaves)
