"""Fine-tuning of a generator's encoder on training queries (`adapt=full`).

Questions are learnt by a contrastive loss, queries with pools of graded candidates by a listwise one. Everything here
works on token numbers and needs nothing but torch, numpy and the model, so that it runs on a machine with a GPU and
little else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel

from lexgear.docids.trie import NAMES, Trie
from lexgear.model.device import mixed_precision, variable_length_attention
from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.model.generator.whole_tree import tree_log_p
from lexgear.pretraining.quantized_weights import dequantize, quantize

Ints = NDArray[Any]
TOKENS_PER_BATCH = 1 << 17
"""Tokens that are encoded at once without gradients."""
HARD_NEGATIVES, HARD_DEPTH, RENEWED_EVERY = 4, 60, 4
"""Hard negatives per question and batch, how deep in the current ranking they are drawn, and the epochs between two
rankings."""
POOL_SAMPLE, CERTAIN_GRADE = 64, 2
"""Candidates drawn from a pool; those of at least this grade are always taken."""
WARM_UP, WEIGHT_DECAY, MAX_GRADIENT = 0.1, 0.01, 1.0
RAGGED = ("queries", "documents", "judged", "grades", "pools")
"""Fields of `AdaptationData` with one array per query or document."""
KEPT_TEXTS = 16
"""Texts per step on which the charges are kept as they were."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Length and speed of the fine-tuning."""

    epochs: int
    batch_size: int
    learning_rate: float
    """Highest rate of AdamW; it falls to zero linearly."""
    temperature: float
    """Divisor of the cosines in the softmax."""
    averaged: float = 0.0
    """Share of the steps, at the end, whose weights are averaged; with 0 the last weights are kept."""


QUESTIONS = Recipe(epochs=16, batch_size=64, learning_rate=5e-5, temperature=0.025)
"""For queries without pools."""
POOLS = Recipe(epochs=6, batch_size=1, learning_rate=2e-5, temperature=0.05, averaged=0.6)
"""For queries with pools. So few queries leave the last weights noisy: the mean of the later ones raises R@20 on LeCaRD
from .532 to .547 (docs/lab.md)."""


class TokenRows:
    """Token numbers of many texts on a device, padded to the longest."""

    def __init__(self, rows: Sequence[Ints], device: torch.device) -> None:
        self.lengths = np.array([max(len(row), 1) for row in rows], dtype=np.int64)
        padded = np.zeros((len(rows), int(self.lengths.max(initial=1))), dtype=np.int32)
        for at, row in enumerate(rows):
            padded[at, : len(row)] = row
        self.tokens, self.device = torch.from_numpy(padded).to(device), device

    def __len__(self) -> int:
        return len(self.lengths)

    def batch(self, numbers: Ints) -> tuple[Tensor, Tensor]:
        """Return tokens and mask of some texts, as long as the longest of them."""
        longest = int(self.lengths[numbers].max())
        lengths = torch.from_numpy(self.lengths[numbers]).to(self.device)
        mask = torch.arange(longest, device=self.device) < lengths.unsqueeze(1)
        return self.tokens[torch.from_numpy(numbers).to(self.device), :longest].long(), mask


@dataclass(frozen=True)
class AdaptationData:
    """Training queries and documents as token numbers, with the graded documents of each query."""

    queries: Sequence[Ints]
    documents: Sequence[Ints]
    judged: Sequence[Ints]
    """Documents with a grade, by query."""
    grades: Sequence[Ints]
    """Their grades."""
    pools: Sequence[Ints] = ()
    """Candidates of each query; empty if the collection has no pools."""
    relevant_from: int = 1
    """Lowest grade of a relevant document."""
    trie: Trie | None = None
    """The law, if the generator names charges, which it must not forget."""

    def relevant(self, query: int) -> Ints:
        """Return the relevant documents of a query."""
        return self.judged[query][self.grades[query] >= self.relevant_from]

    def only(self, queries: Ints) -> AdaptationData:
        """Return the same documents with some of the queries."""
        picked = queries.tolist()
        return AdaptationData(
            [self.queries[at] for at in picked],
            self.documents,
            [self.judged[at] for at in picked],
            [self.grades[at] for at in picked],
            [self.pools[at] for at in picked] if self.pools else (),
            self.relevant_from,
            self.trie,
        )

    def save(self, path: Path) -> None:
        """Write plain arrays, for a machine that has no texts and no tokenizer."""
        arrays = {}
        for name in RAGGED:
            rows: Sequence[Ints] = getattr(self, name)
            arrays[name] = np.concatenate([np.empty(0, np.int32), *rows]).astype(np.int32)
            arrays[f"{name}_sizes"] = np.array([len(row) for row in rows], dtype=np.int32)
        if self.trie:
            arrays |= {f"trie_{name}": getattr(self.trie, name) for name in NAMES}
        np.savez(path, allow_pickle=False, relevant_from=np.array(self.relevant_from), **arrays)

    @classmethod
    def load(cls, path: Path) -> AdaptationData:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as stored:
            arrays = dict(stored)
        rows = {
            name: np.split(arrays[name].astype(np.int64), np.cumsum(arrays[f"{name}_sizes"])[:-1])
            if len(arrays[f"{name}_sizes"])
            else ()
            for name in RAGGED
        }
        trie = Trie(**{name: arrays[f"trie_{name}"] for name in NAMES}) if "trie_symbol" in arrays else None
        return cls(**rows, relevant_from=int(arrays["relevant_from"]), trie=trie)


Tune = Callable[[Generator, AdaptationData, int], tuple[Generator, NDArray[np.float32]]]
"""Function from a generator, data and a seed to a fine-tuned generator and its vectors of the documents."""


def tuned(generator: Generator, data: AdaptationData, seed: int) -> tuple[Generator, NDArray[np.float32]]:
    """Return the generator of `adapted`, rounded to 8 bits as it is stored, and its vectors of the documents."""
    found = adapted(generator, data, seed=seed)
    found.load_state_dict(dequantize(quantize(found.state_dict())))
    vectors: NDArray[np.float32] = batched_vectors(found, TokenRows(data.documents, found.device)).cpu().numpy()
    return found, vectors


def adapted(generator: Generator, data: AdaptationData, *, seed: int = 0, recipe: Recipe | None = None) -> Generator:
    """Return a copy of a generator whose encoder brings the queries near their relevant documents.

    Without dropout, as is usual for contrastive learning from so few queries.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    student = deepcopy(generator).eval().requires_grad_(True)
    queries, documents = (TokenRows(rows, generator.device) for rows in (data.queries, data.documents))
    if data.pools:
        recipe = recipe or POOLS
        loss: Loss = _ListwiseLoss(data, queries, documents, recipe.temperature, rng)
    else:
        recipe = recipe or QUESTIONS
        loss = _ContrastiveLoss(data, queries, documents, recipe.temperature, rng)
    kept = _KeptCharges(generator, data.trie) if data.trie else None
    with variable_length_attention(generator.device):
        learnt = _train(student, loss, kept, recipe, np.arange(len(data.queries)), rng)
    return learnt.requires_grad_(False)


@torch.inference_mode()
def batched_vectors(generator: Generator, rows: TokenRows) -> Tensor:
    """Return the unit vector of every text, encoded in batches of texts of about the same length."""
    order = np.argsort(rows.lengths, kind="stable")
    vectors = torch.zeros(len(rows), generator.content.out_features, device=rows.device)
    for some in _batches_by_tokens(order, rows.lengths):
        vectors[torch.from_numpy(some).to(rows.device)] = _vectors(generator, _read(generator, rows.batch(some)))
    return vectors


Loss = Callable[[Generator, Ints, int], tuple[Tensor, EncodedTexts, tuple[Tensor, Tensor]]]
"""Function from a generator, query numbers and the epoch to the loss and the texts that were read for it."""


def _train(
    student: Generator, loss: Loss, kept: _KeptCharges | None, recipe: Recipe, queries: Ints, rng: np.random.Generator
) -> Generator:
    """Train the student; return it, or a generator with the mean of its weights over the last steps."""
    steps = recipe.epochs * -(-len(queries) // recipe.batch_size)
    warm = max(WARM_UP * steps, 1)
    mean = AveragedModel(student) if recipe.averaged else None
    optimizer = torch.optim.AdamW(student.parameters(), lr=recipe.learning_rate, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, (steps - step) / max(steps - warm, 1))
    )
    for epoch in range(recipe.epochs):
        order = rng.permutation(queries)
        for some in np.split(order, range(recipe.batch_size, len(order), recipe.batch_size)):
            value, read, texts = loss(student, some, epoch)
            if kept:
                value = value + kept(student, read, texts)
            value.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(student.parameters(), MAX_GRADIENT)
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
            if mean and schedule.last_epoch > (1 - recipe.averaged) * steps:
                mean.update_parameters(student)
    return cast(Generator, mean.module) if mean else student


@dataclass
class _QueryLoss:
    """Inputs of a loss over training queries."""

    data: AdaptationData
    queries: TokenRows
    documents: TokenRows
    temperature: float
    rng: np.random.Generator


@dataclass
class _ContrastiveLoss(_QueryLoss):
    """InfoNCE with in-batch and hard negatives; other relevant documents of a question are masked."""

    def __post_init__(self) -> None:
        self.relevant = [self.data.relevant(query) for query in range(len(self.data.queries))]
        self.hard: Ints = np.empty((0, 0), dtype=np.int64)
        self.ranked_at = -RENEWED_EVERY

    def __call__(
        self, student: Generator, some: Ints, epoch: int
    ) -> tuple[Tensor, EncodedTexts, tuple[Tensor, Tensor]]:
        if epoch - self.ranked_at >= RENEWED_EVERY:
            self.hard, self.ranked_at = self._hard_negatives(student), epoch
        positives = np.array([self.rng.choice(self.relevant[query]) for query in some.tolist()])
        drawn = self.rng.integers(self.hard.shape[1], size=(len(some), HARD_NEGATIVES))
        chosen = np.concatenate([positives, self.hard[some[:, None], drawn].ravel()])
        asked = _vectors(student, _read(student, self.queries.batch(some)))
        texts = self.documents.batch(chosen)
        read = _read(student, texts)
        logits = asked @ _vectors(student, read).T / self.temperature
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


class _ListwiseLoss(_QueryLoss):
    """Cross-entropy between the softmax over candidates of a pool and their shares of the gain 2^grade − 1."""

    def __call__(
        self, student: Generator, some: Ints, epoch: int
    ) -> tuple[Tensor, EncodedTexts, tuple[Tensor, Tensor]]:
        drawn = [self._candidates(query) for query in some.tolist()]
        sizes = [len(candidates) for candidates, _ in drawn]
        texts = self.documents.batch(np.concatenate([candidates for candidates, _ in drawn]))
        read = _read(student, texts)
        asked = _vectors(student, _read(student, self.queries.batch(some)))
        losses = []
        for vector, found, (_, shares) in zip(asked, torch.split(_vectors(student, read), sizes), drawn, strict=True):
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


class _KeptCharges:
    """Divergence of the charges of some texts from those that the generator named before."""

    def __init__(self, teacher: Generator, trie: Trie) -> None:
        self.teacher, self.trie = teacher, trie
        ends = ~trie.leaf_mask & ((trie.child_count == 0) | (trie.document[trie.first_child] >= 0))
        self.ends = torch.from_numpy(np.flatnonzero(ends)).to(teacher.device)

    def __call__(self, student: Generator, read: EncodedTexts, texts: tuple[Tensor, Tensor]) -> Tensor:
        tokens, mask = texts
        with torch.no_grad():
            before = self._log_p(self.teacher, _read(self.teacher, (tokens[:KEPT_TEXTS], mask[:KEPT_TEXTS])))
        after = self._log_p(student, read.part(slice(KEPT_TEXTS)))
        return (before.exp() * (before - after)).sum(1).mean()

    def _log_p(self, generator: Generator, read: EncodedTexts) -> Tensor:
        with mixed_precision(generator.device):
            return tree_log_p(generator, self.trie, read)[:, self.ends]


def _read(generator: Generator, texts: tuple[Tensor, Tensor]) -> EncodedTexts:
    with mixed_precision(generator.device):
        return generator.read_tensors(*texts)


def _vectors(generator: Generator, read: EncodedTexts) -> Tensor:
    """Return the vectors of texts in single precision: half of it would blur cosines by a fifth of a temperature."""
    return generator.vectors(replace(read, states=read.states.float()))


def _batches_by_tokens(order: Ints, lengths: Ints) -> Iterator[Ints]:
    """Yield texts, given in the order of their lengths, in batches of a limited number of tokens."""
    start = 0
    while start < len(order):
        size = 1
        while start + size < len(order) and (size + 1) * lengths[order[start + size]] <= TOKENS_PER_BATCH:
            size += 1
        yield order[start : start + size]
        start += size
