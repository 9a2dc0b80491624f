"""G-DSR (Louis et al., EACL 2023): a bi-encoder whose document vectors pass through a graph network over the law.

As in "Finding the Law: Enhancing Statutory Article Retrieval via Graph Neural Networks": a hierarchical encoder reads
long articles chunk by chunk (`model/encoder/article_encoder.py`). First the bi-encoder learns to find documents; then
it is frozen, and a graph attention network learns over its vectors by the same contrastive loss; queries see no graph.
Differences: queries and articles share one encoder, so a query is read in chunks as well; the transformer over the
chunks and the layers of the graph network add to a vector and start with nothing to add; neighbouring articles are
joined, besides headings and what stands under them; all documents are negatives, since the graph computes the vectors
of all at once; there are no generated questions; cases, which the paper does not have, are linked to their charges.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import torch
from safetensors.torch import load_file, save_file

from lexgear.corpus.records import Collection
from lexgear.files import PartsDirectory
from lexgear.model.device import best_device
from lexgear.model.encoder.article_encoder import ArticleEncoder
from lexgear.model.encoder.law_graph import Edges, LawNetwork
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.progress import Progress
from lexgear.rankers.dense.bi_encoder import BiEncoderRanker
from lexgear.rankers.dense.encoder_start import Start
from lexgear.rankers.dense.law_graph import LawGraph
from lexgear.rankers.dense.settings import DenseSettings
from lexgear.rankers.dense.training_pairs import judgment_pairs, query_pairs
from lexgear.rankers.model_settings import ENCODER_WITH_BACKBONE
from lexgear.rankers.training_run import validation_mrr
from lexgear.settings import within
from lexgear.training.loop import Loop
from lexgear.training.objectives.graph import GraphObjective

NETWORK = "graph.safetensors"


@dataclass(frozen=True, slots=True)
class GdsrSettings(DenseSettings):
    """Settings of `gdsr`."""

    with_backbone: ClassVar[Mapping[str, Any]] = {**ENCODER_WITH_BACKBONE, "graph_learning_rate": 2e-4}
    max_length: int = 256
    """Longest input in tokens."""
    chunk_length: int = 128
    """Tokens of a chunk, special ones included. Paper: 128."""
    graph_layers: int = 2
    """Steps over which the law around a document influences its vector."""
    graph_epochs: int = 10
    """Epochs of the graph network, after the bi-encoder has been trained."""
    graph_learning_rate: float = 0.0
    """Highest learning rate of the graph network and of the transformer over chunks; 0 for `learning_rate`."""

    def __post_init__(self) -> None:
        DenseSettings.__post_init__(self)
        within("chunk_length", self.chunk_length, 4, 100_000)
        within("graph_layers", self.graph_layers, 1, 100)
        within("graph_epochs", self.graph_epochs, 1, 100_000)
        within("graph_learning_rate", self.graph_learning_rate, 0, 1)


class Gdsr(BiEncoderRanker):
    """Ranks documents by the cosine of the query's vector with theirs, which the surrounding law has changed."""

    name = "gdsr"
    settings_type = GdsrSettings
    label_from_scratch, published = "G-DSR's graph network on a bi-encoder, from scratch", "G-DSR"
    encoder_type = ArticleEncoder
    settings: GdsrSettings
    network: LawNetwork | None = None
    """None if an earlier version wrote the index: its vectors are searched, but its network no longer exists."""

    def _fit(self, collection: Collection, progress: Progress) -> Self:
        """Train the bi-encoder, then the graph network over its vectors."""
        super()._fit(collection, progress)
        torch.manual_seed(self.settings.training.seed)
        self.network = LawNetwork(self.encoder.body.width, self.settings.graph_layers).to(self.encoder.device)
        self._train_graph(collection, self.settings.graph_epochs, progress)
        return self

    def _encoder_around(self, begun: Start) -> TextEncoder:
        settings = self.settings
        return ArticleEncoder.around(
            begun.encoder,
            chunk_length=settings.chunk_length,
            max_length=settings.max_length,
            frame=begun.tokens.frame,
        )

    def _new_learning_rate(self) -> float:
        return self.settings.graph_learning_rate

    def _with_queries(self, collection: Collection, progress: Progress) -> Self:
        """Return a copy trained on with other training queries: the bi-encoder first, then the graph network."""
        if self.network is None:
            return type(self)(self.settings)._fit(collection, progress)
        other = super()._with_queries(collection, progress)
        if not self.knows_queries:
            other.network = copy.deepcopy(self.network)
            other._train_graph(collection, self.settings.training.query_epochs, progress, by_queries=True)
        return other

    def _train_graph(
        self, collection: Collection, epochs: int, progress: Progress, *, by_queries: bool = False
    ) -> None:
        """Train on the bi-encoder's vectors and replace them; without an edge there is nothing to train on."""
        run, settings, contrast = self.training, self.settings, self.settings.contrast
        assert self.network is not None
        notes, split = run.notes, run.split(collection)
        run.notes = notes
        features, edges = self._graph(collection)
        if not len(edges):
            run.notes.append(f"the law of {collection.name} has no structure: a bi-encoder alone")
            return
        facts = judgment_pairs(collection, self._encode, weak=contrast.weak_positives)
        queries = query_pairs(collection, split.learnt, self._encode)
        main, beside = (queries, facts) if by_queries else (facts, queries)
        objective = GraphObjective(
            self.network,
            self.encoder,
            features,
            edges,
            len(self.documents),
            main,
            beside,
            extra_per_batch=contrast.queries_per_batch,
            token_dropout=contrast.token_dropout,
            temperature=contrast.temperature,
        )

        def validate() -> float:
            self._pass(features, edges)
            return validation_mrr(self, collection, split.validation)

        if len(main):
            loop_settings = settings.training.loop(epochs, learning_rate=settings.graph_learning_rate or None)
            loop = Loop(self.network, objective, len(main), loop_settings, validate)
            run.run(loop, progress, "graph")
        self._pass(features, edges)

    def _graph(self, collection: Collection) -> tuple[torch.Tensor, Edges]:
        """Return the vectors of all nodes from their texts alone, and the edges between them."""
        graph, device = LawGraph.of(collection), self.encoder.device
        documents = torch.from_numpy(self.vectors).float().to(device)
        places = self.encoder.read_all(*self._encode(graph.texts))
        return torch.cat([documents, places]), Edges.of(graph.pairs, device)

    @torch.no_grad()
    def _pass(self, features: torch.Tensor, edges: Edges) -> None:
        """Compute the vectors of the documents, rounded to half precision as those of `dense`."""
        assert self.network is not None
        moved = self.network(features, edges)[: len(self.documents)]
        self.vectors, self._faiss = moved.half().double().cpu().numpy(), None

    def save(self, directory: PartsDirectory) -> None:
        """Write what `dense` writes, and the graph network."""
        super().save(directory)
        if self.network:
            weights = {name: value.contiguous() for name, value in self.network.state_dict().items()}
            save_file(weights, directory / NETWORK)

    @classmethod
    def load(cls, directory: PartsDirectory, settings: Any) -> Self:
        """Read the ranker that `save` wrote."""
        ranker = super().load(directory, settings)
        weights = load_file(directory / NETWORK) if (directory / NETWORK).exists() else {}
        if "layers.0.attention" in weights:
            network = LawNetwork(ranker.encoder.body.width, settings.graph_layers)
            network.load_state_dict(weights)
            ranker.network = network.to(best_device())
        return ranker
