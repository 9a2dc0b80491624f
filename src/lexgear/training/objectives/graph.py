"""Objective of a graph network over frozen text vectors: the contrastive loss of a bi-encoder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.model.encoder.law_graph import Edges, LawNetwork
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.training.examples import Examples, concatenate_examples, drop_tokens
from lexgear.training.objectives.contrastive import Pairs, contrastive_nll


@dataclass
class GraphObjective:
    """−log P of a relevant document among all documents, whose vectors the graph network computes at once.

    The encoder is frozen.
    """

    network: LawNetwork
    encoder: TextEncoder
    features: Tensor
    """Text vectors of all nodes, documents first."""
    edges: Edges
    documents: int
    main: Pairs
    extra: Pairs
    extra_per_batch: int = 8
    token_dropout: float = 0.2
    temperature: float = 0.05
    tokens: int = 0
    _texts: Examples = field(init=False)

    def __post_init__(self) -> None:
        self._texts = concatenate_examples(self.main.texts, self.extra.texts)
        self._excluded = [*self.main.excluded, *self.extra.excluded]

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the mean loss over a batch of `main` and some texts of `extra`."""
        count = min(self.extra_per_batch, len(self.extra))
        others = len(self.main) + rng.choice(len(self.extra), count, replace=False) if count else batch[:0]
        chosen = np.concatenate([batch, others])
        shown = drop_tokens(self._texts.rows(chosen), self.token_dropout, rng)
        self.tokens += int(shown.mask.sum())
        with torch.no_grad():
            asked = self.encoder.read(shown.numbers, shown.mask)
        found = self.network(self.features, self.edges)[: self.documents]
        right = np.array([rng.choice(row) for row in shown.leaves])
        excluded = np.zeros((len(chosen), self.documents), np.bool_)
        for row, text in zip(excluded, chosen, strict=True):
            row[self._excluded[text]] = True
        return {"graph": contrastive_nll(asked, found, right, excluded, self.temperature)}
