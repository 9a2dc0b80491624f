"""Losses of the fine-tuning: contrastive for questions, listwise for pools, and one that keeps the charges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.docids.trie import Trie
from lexgear.model.device import mixed_precision
from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.model.generator.whole_tree import tree_log_p
from lexgear.rankers.lexgear.adaptation.data import AdaptationData, Ints
from lexgear.rankers.lexgear.adaptation.encoding import TokenRows, batched_vectors, encode, vectors_of

HARD_NEGATIVES, HARD_DEPTH, RENEWED_EVERY = 4, 60, 4
"""Hard negatives per question and batch, how deep in the current ranking they are drawn, and the epochs between two
rankings."""
POOL_SAMPLE, CERTAIN_GRADE = 64, 2
"""Candidates drawn from a pool; those of at least this grade are always taken."""
KEPT_TEXTS = 16
"""Texts per step on which the charges are kept as they were."""

Loss = Callable[[Generator, Ints, int], tuple[Tensor, EncodedTexts, tuple[Tensor, Tensor]]]
"""Function from a generator, query numbers and the epoch to the loss and the texts that were read for it."""


@dataclass
class _QueryLoss:
    """Inputs of a loss over training queries."""

    data: AdaptationData
    queries: TokenRows
    documents: TokenRows
    temperature: float
    rng: np.random.Generator


@dataclass
class ContrastiveLoss(_QueryLoss):
    """InfoNCE with in-batch and hard negatives; other relevant documents of a question are masked."""

    def __post_init__(self) -> None:
        self.relevant = [self.data.relevant(query) for query in range(len(self.data.queries))]
        self.hard: Ints = np.empty((0, 0), dtype=np.int64)
        self.ranked_at = -RENEWED_EVERY

    def __call__(
        self, student: Generator, some: Ints, epoch: int
    ) -> tuple[Tensor, EncodedTexts, tuple[Tensor, Tensor]]:
        """Return the loss of some queries, and the documents read for it with their tokens."""
        if epoch - self.ranked_at >= RENEWED_EVERY:
            self.hard, self.ranked_at = self._hard_negatives(student), epoch
        positives = np.array([self.rng.choice(self.relevant[query]) for query in some.tolist()])
        drawn = self.rng.integers(self.hard.shape[1], size=(len(some), HARD_NEGATIVES))
        chosen = np.concatenate([positives, self.hard[some[:, None], drawn].ravel()])
        asked = vectors_of(student, encode(student, self.queries.batch(some)))
        texts = self.documents.batch(chosen)
        read = encode(student, texts)
        logits = asked @ vectors_of(student, read).T / self.temperature
        also = np.stack([np.isin(chosen, self.relevant[query]) for query in some.tolist()])
        also[np.arange(len(some)), np.arange(len(some))] = False
        logits = logits.masked_fill(torch.from_numpy(also).to(logits.device), -torch.inf)
        targets = torch.arange(len(some), device=logits.device)
        return functional.cross_entropy(logits, targets), read, texts

    def _hard_negatives(self, student: Generator) -> Ints:
        """Return the first documents of the current ranking of each question that are not relevant to it."""
        with torch.inference_mode():
            scores = batched_vectors(student, self.queries) @ batched_vectors(student, self.documents).T
            for query, own in enumerate(self.relevant):
                scores[query, torch.from_numpy(own).to(scores.device)] = -torch.inf
            depth = min(HARD_DEPTH, len(self.documents) - max(map(len, self.relevant)))
            found: Ints = scores.topk(depth).indices.cpu().numpy()
        return found


class ListwiseLoss(_QueryLoss):
    """Cross-entropy between the softmax over candidates of a pool and their shares of the gain 2^grade − 1."""

    def __call__(
        self, student: Generator, some: Ints, epoch: int
    ) -> tuple[Tensor, EncodedTexts, tuple[Tensor, Tensor]]:
        """Return the loss of some queries, and the documents read for it with their tokens."""
        drawn = [self._candidates(query) for query in some.tolist()]
        sizes = [len(candidates) for candidates, _ in drawn]
        texts = self.documents.batch(np.concatenate([candidates for candidates, _ in drawn]))
        read = encode(student, texts)
        asked = vectors_of(student, encode(student, self.queries.batch(some)))
        losses = []
        for vector, found, (_, shares) in zip(asked, torch.split(vectors_of(student, read), sizes), drawn, strict=True):
            log_q = functional.log_softmax(found @ vector / self.temperature, dim=-1)
            losses.append(-(torch.from_numpy(shares).to(log_q) * log_q).sum())
        return torch.stack(losses).mean(), read, texts

    def _candidates(self, query: int) -> tuple[Ints, NDArray[np.float64]]:
        """Return candidates drawn from the pool with those of a high grade, and their shares of the gain."""
        judged, grades, pool = self.data.judged[query], self.data.grades[query], self.data.pools[query]
        sample = self.rng.choice(pool, min(POOL_SAMPLE, len(pool)), replace=False)
        candidates = np.union1d(sample, judged[grades >= CERTAIN_GRADE])
        grade_of = dict(zip(judged.tolist(), grades.tolist(), strict=True))
        gains = np.array([2.0 ** max(grade_of.get(at, 0), 0) - 1 for at in candidates.tolist()])
        return candidates, gains / max(gains.sum(), 1e-9)


class KeptCharges:
    """Divergence of the charges of some texts from those that the generator named before."""

    def __init__(self, teacher: Generator, trie: Trie) -> None:
        self.teacher, self.trie = teacher, trie
        ends = ~trie.leaf_mask & ((trie.child_count == 0) | (trie.document[trie.first_child] >= 0))
        self.ends = torch.from_numpy(np.flatnonzero(ends)).to(teacher.device)

    def __call__(self, student: Generator, read: EncodedTexts, texts: tuple[Tensor, Tensor]) -> Tensor:
        """Return the mean divergence over the first of the texts that were read."""
        tokens, mask = texts
        with torch.no_grad():
            before = self._log_p(self.teacher, encode(self.teacher, (tokens[:KEPT_TEXTS], mask[:KEPT_TEXTS])))
        after = self._log_p(student, read.part(slice(KEPT_TEXTS)))
        return (before.exp() * (before - after)).sum(1).mean()

    def _log_p(self, generator: Generator, read: EncodedTexts) -> Tensor:
        with mixed_precision(generator.device):
            return tree_log_p(generator, self.trie, read)[:, self.ends]
