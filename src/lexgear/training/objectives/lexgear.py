"""Training objective of `lexgear`: law paths of charges and contrastive query-document vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.model.generator.generator import EncodedTexts
from lexgear.training.examples import Examples, concatenate_examples, drop_tokens, paths_to, sample_leaves
from lexgear.training.objectives.tree import MAX_IDS, TreeObjective


@dataclass
class LexgearObjective(TreeObjective):
    """Law-path loss of charges, and contrastive loss between queries and their documents.

    A batch consists of judgments used as queries; some labelled queries are added.
    """

    judgments: Examples
    queries: Examples
    documents: Examples
    """Document texts by position, which query vectors are compared with."""
    queries_per_batch: int = 8
    token_dropout: float = 0.5
    """Share of a text's tokens that is dropped at random."""
    temperature: float = 0.05

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return `law`, −log P of the charges' law nodes, and `content`, each query against the other queries'
        documents."""
        texts = drop_tokens(self.judgments.rows(batch), self.token_dropout, rng)
        if not len(self.queries):
            return {"law": self._law(texts, self._read(texts), rng)}
        chosen = rng.choice(len(self.queries), min(self.queries_per_batch, len(self.queries)), replace=False)
        queries = drop_tokens(self.queries.rows(chosen), self.token_dropout, rng)
        both = concatenate_examples(queries, texts)
        read = self._read(both)
        return {"law": self._law(both, read, rng), "content": self._content(queries, read, rng)}

    def _law(self, texts: Examples, read: EncodedTexts, rng: np.random.Generator) -> Tensor:
        leaves, owners = sample_leaves(texts.leaves, MAX_IDS, rng)
        paths = paths_to(self.ids, self.ids.trie.parent[leaves].tolist())
        return self._nll(read, owners, paths)

    def _content(self, queries: Examples, read: EncodedTexts, rng: np.random.Generator) -> Tensor:
        """Return the contrastive loss of the queries, which come first in the encoded batch."""
        partner = np.array([self.ids.trie.document[rng.choice(row)] for row in queries.leaves])
        others = drop_tokens(self.documents.rows(partner), self.token_dropout, rng)
        near = self.generator.vectors(self._read(others)).float()
        asked = self.generator.vectors(read).float()[: len(queries)]
        same = torch.from_numpy(partner[:, None] == partner[None, :]).to(near.device)
        right = same.float() / same.sum(1, keepdim=True)
        return -(functional.log_softmax(asked @ near.T / self.temperature, dim=-1) * right).sum(1).mean()
