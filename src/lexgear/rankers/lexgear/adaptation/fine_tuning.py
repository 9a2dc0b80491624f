"""Fine-tuning of a generator's encoder on training queries (`adapt=full`).

Questions are learnt by a contrastive loss, queries with pools of graded candidates by a listwise one. Everything here
works on token numbers and needs nothing but torch, numpy and the model, so that it runs on a machine with a GPU and
little else.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch.optim.swa_utils import AveragedModel

from lexgear.model.device import variable_length_attention
from lexgear.model.generator.generator import Generator
from lexgear.pretraining.quantized_weights import dequantize, quantize
from lexgear.rankers.lexgear.adaptation.data import AdaptationData, Ints
from lexgear.rankers.lexgear.adaptation.encoding import TokenRows, batched_vectors
from lexgear.rankers.lexgear.adaptation.losses import ContrastiveLoss, KeptCharges, ListwiseLoss, Loss

WARM_UP, WEIGHT_DECAY, MAX_GRADIENT = 0.1, 0.01, 1.0


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
        loss: Loss = ListwiseLoss(data, queries, documents, recipe.temperature, rng)
    else:
        recipe = recipe or QUESTIONS
        loss = ContrastiveLoss(data, queries, documents, recipe.temperature, rng)
    kept = KeptCharges(generator, data.trie) if data.trie else None
    with variable_length_attention(generator.device):
        learnt = _train(student, loss, kept, recipe, np.arange(len(data.queries)), rng)
    return learnt.requires_grad_(False)


def _train(
    student: Generator, loss: Loss, kept: KeptCharges | None, recipe: Recipe, queries: Ints, rng: np.random.Generator
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
