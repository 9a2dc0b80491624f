"""What systems that index documents by written queries share: a query generator of their own, and what it wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from lexgear.corpus.records import Collection
from lexgear.errors import InputError
from lexgear.files import read_json, write_json_list
from lexgear.model.checkpoints import Backbone
from lexgear.model.device import best_device
from lexgear.model.text_generation.query_generator import QueryGenerator, Sampling
from lexgear.model.token_embeddings import token_vectors
from lexgear.progress import Progress
from lexgear.rankers.generative.id_ranker import GenerativeRanker
from lexgear.rankers.generative.id_settings import GenerativeSettings
from lexgear.rankers.generative.writing_pairs import Pair, writing_pairs
from lexgear.settings import within
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop, LoopSettings
from lexgear.training.objectives.query_writing import WritingObjective
from lexgear.training.query_split import QuerySplit

QUERIES = "queries.json"
WHOLE = 512
"""Tokens of a text that say which tokens belong together."""


@dataclass(frozen=True, slots=True)
class WritingSettings(GenerativeSettings):
    """Settings of a system that writes queries."""

    tokens: int = 64
    """Longest input."""
    vocabulary: int = 2000
    """Tokens of our own tokenizer: the fewer, the sooner a small model writes with them."""
    batch: int = 16
    rate: float = 0.005
    """Highest learning rate of Adam."""
    pace: float = 0.4
    """Share of that rate that IDs are learnt at where a model starts from nothing: at the whole of it, which writing
    needs, DSI-QG learnt none of the sample's (a loss of 7.2 after ten epochs, .85 at this pace)."""
    pairs: int = 2
    """Pairs of document and query that the query generator learns from, for each document."""
    writer_epochs: int = 3
    """Epochs that the query generator learns for."""
    written: int = 4
    """Queries written for each document."""
    query_tokens: int = 24
    """Longest of them."""
    top_k: int = 4
    """The most probable tokens that the next one is drawn from."""

    def __post_init__(self) -> None:
        GenerativeSettings.__post_init__(self)
        for name in ("pairs", "written", "top_k", "writer_epochs"):
            within(name, getattr(self, name), 1, 10_000)
        within("query_tokens", self.query_tokens, 2, 100_000)
        within("pace", self.pace, 0, 1)

    def sampling(self) -> Sampling:
        """How queries are drawn."""
        return Sampling(self.written, self.query_tokens, self.top_k, self.seed)


class QueryWritingRanker(GenerativeRanker):
    """Learns to write queries before it learns IDs; what was written stays in the index, to be taught and looked at."""

    settings: WritingSettings
    writer: QueryGenerator | None = None
    """After `fit`; an index has no need of it."""
    queries: list[list[str]]
    """What was written for each document, by position."""

    def _index(
        self, collection: Collection, split: QuerySplit, texts: list[str], backbone: Backbone | None, progress: Progress
    ) -> None:
        settings = self.settings
        if backbone is None:
            raise InputError(f"{self.name} learns to write: it needs epochs to do so", remedy="set epochs=1 or more")
        if self._from_nothing:
            whole, shape = self.tokens.encode(texts, WHOLE), backbone.shape
            found = token_vectors(*whole, shape.vocabulary, shape.width, settings.seed)
            backbone.embed.weight.data = torch.from_numpy(found)
        pairs = writing_pairs(collection, split.learnt, texts, settings.pairs * len(texts), settings.seed)
        self.writer = self._taught_writer(pairs, backbone, progress)
        written = self.writer.write(self.tokens, texts, settings.tokens, settings.sampling(), progress)
        self.queries = self._chosen(texts, pairs, written, progress)
        super()._index(collection, split, texts, backbone, progress)

    def _chosen(
        self, texts: Sequence[str], pairs: Sequence[Pair], written: list[list[str]], progress: Progress
    ) -> list[list[str]]:
        """The queries that documents are indexed by: all that were written."""
        return written

    def _id_loop(self, epochs: int) -> LoopSettings:
        loop, pace = super()._id_loop(epochs), self.settings.pace if self._from_nothing else 1.0
        return replace(loop, learning_rate=pace * loop.learning_rate)

    def _taught_writer(self, pairs: Sequence[Pair], backbone: Backbone, progress: Progress) -> QueryGenerator:
        settings = self.settings
        writer = QueryGenerator(copied(backbone, settings.dropout), fresh=self._from_nothing).to(best_device())
        documents, queries = self._pair_examples(pairs)
        objective = WritingObjective(writer, documents, queries)
        self._trained(Loop(writer, objective, len(pairs), settings.loop(settings.writer_epochs)), progress, "writing")
        return writer

    def _pair_examples(self, pairs: Sequence[Pair]) -> tuple[Examples, Examples]:
        """Documents and queries of pairs, as they are read and as they are written."""
        owners = [np.array([pair.document]) for pair in pairs]
        read = self.tokens.encode([pair.text for pair in pairs], self.settings.tokens)
        written = self.tokens.ended([pair.query for pair in pairs], self.settings.query_tokens)
        return Examples(*read, owners), Examples(*written, owners)

    def _written_examples(self) -> Examples:
        """What was written, each query with the ID of its document."""
        trie = self.ids.trie
        texts = [query for row in self.queries for query in row]
        return self._examples(texts, [trie.leaves_of(at) for at, row in enumerate(self.queries) for _ in row])

    def _learnt_by(self, collection: Collection, places: Sequence[int]) -> list[str]:
        return [self.queries[place][0] for place in places]

    def save(self, directory: Path) -> None:
        """Writes the parts of every generator, and the queries."""
        super().save(directory)
        rows = zip(self._names, self.queries, strict=True)
        write_json_list(directory / QUERIES, [{"id": name, "queries": row} for name, row in rows])

    def _load(self, directory: Path) -> None:
        super()._load(directory)
        self.queries = [row["queries"] for row in read_json(directory / QUERIES)]


def copied(backbone: Backbone, dropout: float) -> Backbone:
    """A backbone of its own with the same weights."""
    other = Backbone(replace(backbone.shape, dropout=dropout))
    other.load_state_dict(backbone.state_dict())
    return other
