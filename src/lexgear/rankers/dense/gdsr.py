"""G-DSR: a bi-encoder whose document vectors pass through a graph network over the law.

Louis et al., "Finding the Law: Enhancing Statutory Article Retrieval via Graph Neural Networks", EACL 2023. First the
bi-encoder learns to find documents; then it stays as it is, and the graph network learns over its vectors by the same
contrastive loss; queries see no graph. What differs: graph convolutions that add to a node's vector, where their code
takes graph attention unless told otherwise; articles beside each other are joined, besides headings and what stands
under them; all documents are negatives, since the graph makes the vectors of all at once; cases, which the paper has
none of, hang under their charges.
The bi-encoder is that of `dense`: one encoder and one pass a text, where theirs reads long articles part by part.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import torch
from safetensors.torch import load_file, save_file

from lexgear.corpus.records import Collection
from lexgear.model.device import best_device
from lexgear.model.encoder.law_graph import Edges, LawNetwork
from lexgear.progress import Progress, silent
from lexgear.rankers.dense.bi_encoder import Dense
from lexgear.rankers.dense.law_graph import LawGraph
from lexgear.rankers.dense.settings import DenseSettings
from lexgear.rankers.dense.training_pairs import judgment_pairs, query_pairs
from lexgear.settings import within
from lexgear.training.loop import Loop
from lexgear.training.objectives.graph import GraphObjective

NETWORK = "graph.safetensors"


@dataclass(frozen=True, slots=True)
class GdsrSettings(DenseSettings):
    """Settings of `gdsr`."""

    graph_layers: int = 2
    """How far the law around a document reaches it: by so many steps."""
    graph_epochs: int = 10
    """Over the documents, after the bi-encoder has learnt; the graph network's own."""

    def __post_init__(self) -> None:
        DenseSettings.__post_init__(self)
        within("graph_layers", self.graph_layers, 1, 100)
        within("graph_epochs", self.graph_epochs, 1, 100_000)


class Gdsr(Dense):
    """The cosine of a query's vector and of a document's, the latter moved by the law around it."""

    name = "gdsr"
    summary = "bi-encoder whose document vectors pass through a graph network over the law's structure"
    settings_type = GdsrSettings
    row_name, published = "G-DSR's graph network on a bi-encoder, from scratch", "G-DSR"
    settings: GdsrSettings
    network: LawNetwork

    def fit(self, collection: Collection, progress: Progress = silent) -> Self:
        """Learns the bi-encoder, then the graph network over its vectors."""
        super().fit(collection, progress)
        torch.manual_seed(self.settings.seed)
        self.network = LawNetwork(self.encoder.body.width, self.settings.graph_layers).to(self.encoder.device)
        self._learn_graph(collection, self.settings.graph_epochs, progress)
        return self

    def taught(self, collection: Collection, progress: Progress = silent) -> Self:
        """A copy that goes on with other training queries, the bi-encoder first and then the graph network."""
        other = super().taught(collection, progress)
        if not self.knows_queries:
            other.network = copy.deepcopy(self.network)
            other._learn_graph(collection, self.settings.taught_epochs, progress, by_queries=True)
        return other

    def _learn_graph(
        self, collection: Collection, epochs: int, progress: Progress, *, by_queries: bool = False
    ) -> None:
        """Learns over the vectors that the bi-encoder made, and replaces them; without an edge there is nothing to."""
        notes, split, settings = self.notes, self._split(collection), self.settings
        self.notes = notes
        features, edges = self._graph(collection)
        if not len(edges):
            self.notes.append(f"the law of {collection.name} has no structure: a bi-encoder alone")
            return
        facts = judgment_pairs(collection, self._encode, weak=settings.weak_positives)
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
            extra_per_batch=settings.queries_a_batch,
            token_dropout=settings.thin,
            temperature=settings.temperature,
        )

        def validate() -> float:
            self._pass(features, edges)
            return self.mrr(collection, split.validation)

        if len(main):
            loop = Loop(self.network, objective, len(main), settings.loop(epochs, patience=True), validate)
            self._trained(loop, progress, "graph")
        self._pass(features, edges)

    def _graph(self, collection: Collection) -> tuple[torch.Tensor, Edges]:
        """The vectors of all nodes by their texts alone, and the edges between them."""
        graph, device = LawGraph.of(collection), self.encoder.device
        documents = torch.from_numpy(self.vectors).float().to(device)
        places = self.encoder.read_all(*self._encode(graph.texts))
        return torch.cat([documents, places]), Edges.of(graph.pairs, graph.nodes, device)

    @torch.no_grad()
    def _pass(self, features: torch.Tensor, edges: Edges) -> None:
        """Makes the vectors of the documents: numbers that half precision can keep, as those of `dense`."""
        moved = self.network(features, edges)[: len(self.documents)]
        self.vectors, self._faiss = moved.half().double().cpu().numpy(), None

    def save(self, directory: Path) -> None:
        """Writes what `dense` writes, and the graph network."""
        super().save(directory)
        save_file({name: value.contiguous() for name, value in self.network.state_dict().items()}, directory / NETWORK)

    @classmethod
    def load(cls, directory: Path, settings: Any) -> Self:
        """The ranker that `save` wrote."""
        ranker = super().load(directory, settings)
        ranker.network = LawNetwork(ranker.encoder.body.width, settings.graph_layers)
        ranker.network.load_state_dict(load_file(directory / NETWORK))
        ranker.network.to(best_device())
        return ranker
