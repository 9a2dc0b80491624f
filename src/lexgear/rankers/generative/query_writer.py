"""Queries written for documents: a query generator trained on the collection, and the queries it wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory, read_json, write_json_list
from lexgear.model.checkpoints import Backbone
from lexgear.model.device import best_device
from lexgear.model.text_generation.query_generator import QueryGenerator, Sampling
from lexgear.model.token_embeddings import token_vectors
from lexgear.progress import Progress, silent
from lexgear.rankers.generative.generator_parts import GeneratorParts
from lexgear.rankers.generative.training_task import TrainingTask
from lexgear.rankers.generative.writing_pairs import Pair, writing_pairs
from lexgear.rankers.training_run import TrainingRun
from lexgear.settings import within
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop
from lexgear.training.objectives.query_writing import WritingObjective

QUERIES = "queries.json"
WHOLE_TEXT = 512
"""Tokens of a text from which token embeddings are initialised."""


@dataclass(frozen=True, slots=True)
class WritingSettings:
    """Settings of a query generator."""

    id_rate_factor: float = 0.4
    """Factor of the learning rate for IDs if the model starts from scratch. At the full rate, which writing needs,
    DSI-QG learnt none of the sample's IDs (a loss of 7.2 after ten epochs; .85 with this factor)."""
    pairs_per_document: int = 2
    """Pairs of document and query that the query generator is trained on."""
    writer_epochs: int = 3
    """Epochs of the query generator."""
    queries_per_document: int = 4
    """Queries written for each document."""
    max_query_length: int = 24
    """Longest written query in tokens."""
    top_k: int = 4
    """Number of most probable tokens that the next one is sampled from."""

    def __post_init__(self) -> None:
        for name in ("pairs_per_document", "queries_per_document", "top_k", "writer_epochs"):
            within(name, getattr(self, name), 1, 10_000)
        within("max_query_length", self.max_query_length, 2, 100_000)
        within("id_rate_factor", self.id_rate_factor, 0, 1)


class QueryWriter:
    """Trains a query generator from the ranker's own backbone and writes queries for every document.

    The queries stay in the index, so that they can be inspected and used again for other training queries.
    """

    queries: list[list[str]]
    """Queries that each document is indexed by, by position."""
    pairs: list[Pair]
    """Pairs of document and query that the generator was trained on; known after `train`."""
    model: QueryGenerator | None = None
    """The trained query generator; known after `write`, not stored in an index."""

    def __init__(self, settings: WritingSettings, parts: GeneratorParts, training: TrainingRun) -> None:
        self.settings, self.parts, self.training = settings, parts, training

    def train(self, task: TrainingTask, backbone: Backbone | None, progress: Progress) -> None:
        """Train the query generator."""
        settings, parts, seed = self.settings, self.parts, self.training.settings.seed
        if backbone is None:
            raise InputError(
                "the query generator needs epochs to be trained",
                code=ErrorCode.INVALID_SETTING,
                remedy="set epochs to 1 or more",
            )
        if parts.from_scratch:
            whole, shape = parts.tokens.encode(task.texts, WHOLE_TEXT), backbone.shape
            found = token_vectors(*whole, shape.vocabulary, shape.width, seed)
            backbone.embed.weight.data = torch.from_numpy(found)
        count = settings.pairs_per_document * len(task.texts)
        self.pairs = writing_pairs(task.collection, task.split.learnt, task.texts, count, seed)
        self.model = self._train(backbone, progress)

    def write(self, texts: Sequence[str], progress: Progress) -> list[list[str]]:
        """Return the queries that the trained generator writes for each text."""
        return self._write(texts, self.settings.queries_per_document, progress)

    def one_query_each(self, texts: Sequence[str]) -> list[str]:
        """Return one written query for each text."""
        return [query for [query] in self._write(texts, 1)]

    def id_learning_rate(self) -> float:
        """Return the learning rate for IDs."""
        factor = self.settings.id_rate_factor if self.parts.from_scratch else 1.0
        return factor * self.training.settings.learning_rate

    def pair_examples(self) -> tuple[Examples, Examples]:
        """Return documents and queries of the training pairs as token examples."""
        owners = [np.array([pair.document]) for pair in self.pairs]
        documents = self.parts.encode([pair.text for pair in self.pairs])
        queries = self.parts.tokens.ended([pair.query for pair in self.pairs], self.settings.max_query_length)
        return Examples(*documents, owners), Examples(*queries, owners)

    def examples(self) -> Examples:
        """Return the written queries as training examples, each with the ID of its document."""
        leaves = self.parts.own_leaves([at for at, row in enumerate(self.queries) for _ in row])
        return self.parts.examples([query for row in self.queries for query in row], leaves)

    def save(self, directory: PartsDirectory) -> None:
        """Write the queries as JSON."""
        rows = zip(self.parts.documents, self.queries, strict=True)
        write_json_list(directory / QUERIES, [{"id": name, "queries": row} for name, row in rows])

    def load(self, directory: PartsDirectory) -> None:
        """Read the queries that `save` wrote."""
        self.queries = [row["queries"] for row in read_json(directory / QUERIES)]

    def _write(self, texts: Sequence[str], count: int, progress: Progress = silent) -> list[list[str]]:
        assert self.model is not None
        settings, parts = self.settings, self.parts
        sampling = Sampling(count, settings.max_query_length, settings.top_k, self.training.settings.seed)
        return self.model.write(parts.tokens, texts, parts.max_length, sampling, progress)

    def _train(self, backbone: Backbone, progress: Progress) -> QueryGenerator:
        training, dropout = self.training.settings, self.parts.settings.size.dropout
        model = QueryGenerator(copied(backbone, dropout), fresh=self.parts.from_scratch).to(best_device())
        documents, queries = self.pair_examples()
        settings = training.loop(
            self.settings.writer_epochs, new_learning_rate=self.parts.settings.decoder_learning_rate
        )
        loop = Loop(model, WritingObjective(model, documents, queries), len(self.pairs), settings)
        loop.pretrained = model.backbone.pretrained_parts()
        self.training.run(loop, progress, "writing")
        return model


def copied(backbone: Backbone, dropout: float) -> Backbone:
    """Return a copy of a backbone with another dropout."""
    other = Backbone(replace(backbone.shape, dropout=dropout))
    other.load_state_dict(backbone.state_dict())
    return other
