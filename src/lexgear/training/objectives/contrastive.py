"""Contrastive objective of a bi-encoder with in-batch and mined hard negatives (ANCE).

ANCE (Xiong et al., ICLR 2021) mines negatives from an index that is refreshed during training. The paper uses mined
negatives alone and refreshes asynchronously; here the other documents of the batch are negatives too, and training
waits for the refresh.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lexgear.model.device import to_device
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.training.examples import Examples, concatenate_examples, drop_tokens
from lexgear.training.negatives import ExcludedNegatives, draw_negatives, mine_negatives

Ints = NDArray[Any]
DEPTH = 100
"""Rank of the index down to which hard negatives are drawn (ANCE: 200 of 8.8 million documents)."""


@dataclass(frozen=True)
class Pairs:
    """Texts and the documents they should retrieve; an example's leaves are document positions."""

    texts: Examples
    excluded: Sequence[Ints]
    """Documents that must not be negatives of a text, including its relevant documents."""

    def __len__(self) -> int:
        return len(self.texts)


class Contrast(nn.Module):
    """State that training changes and a checkpoint keeps: encoder, mined negatives and number of epochs begun."""

    negatives: Tensor
    epochs: Tensor

    def __init__(self, encoder: TextEncoder, texts: int, documents: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.register_buffer("negatives", torch.full((texts, min(DEPTH, documents)), -1))
        self.register_buffer("epochs", torch.zeros((), dtype=torch.int64))


@dataclass
class ContrastiveObjective:
    """−log P of a relevant document among the documents of the batch and the text's mined negatives.

    A batch comes from `main`, with some texts of `extra` added. The first epochs use in-batch negatives only, because
    the index of an untrained model is uninformative.
    """

    model: Contrast
    main: Pairs
    extra: Pairs
    documents: Examples
    extra_per_batch: int = 8
    hard: int = 1
    """Mined negatives per text."""
    refresh: int = 1
    """Epochs between refreshes of the index; 0 disables mining."""
    token_dropout: float = 0.2
    """Share of a text's tokens that is dropped at random."""
    temperature: float = 0.05
    tokens: int = 0
    _excluded: ExcludedNegatives = field(init=False)
    _texts: Examples = field(init=False)

    def __post_init__(self) -> None:
        self._texts = concatenate_examples(self.main.texts, self.extra.texts)
        self._excluded = ExcludedNegatives.of([*self.main.excluded, *self.extra.excluded], len(self.documents))

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the mean loss over the texts of the batch."""
        count = min(self.extra_per_batch, len(self.extra))
        others = len(self.main) + rng.choice(len(self.extra), count, replace=False) if count else batch[:0]
        chosen = np.concatenate([batch, others])
        texts = self._texts.rows(chosen)
        right = np.array([rng.choice(row) for row in texts.leaves])
        wrong = draw_negatives(self.model.negatives[chosen].cpu().numpy(), self.hard, rng).ravel()
        pool, places = np.unique(np.concatenate([right, wrong[wrong >= 0]]), return_inverse=True)
        asked, found = self._read(texts, rng), self._read(self.documents.rows(pool), rng)
        excluded = self._excluded.among(chosen, pool)
        return {"contrastive": contrastive_nll(asked, found, places[: len(right)], excluded, self.temperature)}

    def _read(self, examples: Examples, rng: np.random.Generator) -> Tensor:
        shown = drop_tokens(examples, self.token_dropout, rng)
        self.tokens += int(shown.mask.sum())
        return self.model.encoder.read(shown.numbers, shown.mask)

    def begin_epoch(self) -> None:
        """Mine the negatives of an epoch with the encoder as it is."""
        model = self.model
        begun = int(model.epochs)
        if self.hard and self.refresh and begun and begun % self.refresh == 0:
            asked, documents = (
                model.encoder.read_all(part.numbers, part.mask) for part in (self._texts, self.documents)
            )
            model.negatives.copy_(mine_negatives(asked, documents, self._excluded, DEPTH))
        model.epochs += 1


def contrastive_nll(
    asked: Tensor, found: Tensor, right: Ints, excluded: NDArray[np.bool_], temperature: float
) -> Tensor:
    """Return −log softmax of each text's relevant document, averaged; other excluded documents are masked."""
    others = excluded.copy()
    others[np.arange(len(right)), right] = False
    with torch.autocast(asked.device.type, enabled=False):  # bfloat16 resolves cosines to .004 at best
        scores = (asked @ found.T / temperature).masked_fill(to_device(others, asked.device), -torch.inf)
    return nn.functional.cross_entropy(scores, to_device(right, asked.device))
