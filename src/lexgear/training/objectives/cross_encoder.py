"""Cross-encoder objective: recognise the document that a query belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.model.encoder.cross_encoder import CrossEncoder, join_pairs
from lexgear.training.examples import Examples


@dataclass
class PairObjective:
    """−log P of a query's own document against other documents of the batch."""

    reader: CrossEncoder
    queries: Examples
    documents: Examples
    """Documents, aligned with `queries`."""
    owners: NDArray[np.int64]
    """Document of each text; another text of the same document is not a negative."""
    separator: int
    """Separator token between query and document."""
    others: int = 1
    """Negatives per query."""
    tokens: int = field(default=0, init=False)
    """Tokens read so far, without padding."""

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the loss `filtering`; it is 0 for a batch with a single document."""
        turns = [np.roll(batch, turn) for turn in range(min(self.others, len(batch) - 1) + 1)]
        asked, shown = self.queries.rows(np.tile(batch, len(turns))), self.documents.rows(np.concatenate(turns))
        both = join_pairs((asked.numbers, asked.mask), (shown.numbers, shown.mask), self.separator)
        self.tokens += int(both.mask.sum())
        scores = self.reader(both).view(len(turns), len(batch)).T
        same = np.stack([self.owners[turn] == self.owners[batch] for turn in turns], axis=1)
        same[:, 0] = False
        scores = scores.masked_fill(torch.from_numpy(same).to(scores.device), -torch.inf)
        return {"filtering": -functional.log_softmax(scores, dim=1)[:, 0].mean()}
