"""What a cross-encoder learns: which of some documents a query belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.model.encoder.cross_encoder import CrossEncoder, beside
from lexgear.training.examples import Examples


@dataclass
class PairObjective:
    """−log P of a query's own document among itself and some others of the batch."""

    reader: CrossEncoder
    queries: Examples
    documents: Examples
    """Of the same places."""
    owners: NDArray[np.int64]
    """Which document each text is of: another text of the same one is no wrong answer."""
    sign: int
    """The token between a query and a document."""
    others: int = 1
    """Wrong documents for each query."""
    tokens: int = field(default=0, init=False)
    """Read or written so far, padding left out."""

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """One loss: filtering. A batch of a single document has no wrong ones, and nothing to learn."""
        turns = [np.roll(batch, turn) for turn in range(min(self.others, len(batch) - 1) + 1)]
        asked, shown = self.queries.rows(np.tile(batch, len(turns))), self.documents.rows(np.concatenate(turns))
        both = beside((asked.numbers, asked.mask), (shown.numbers, shown.mask), self.sign)
        self.tokens += int(both.mask.sum())
        scores = self.reader(both).view(len(turns), len(batch)).T
        same = np.stack([self.owners[turn] == self.owners[batch] for turn in turns], axis=1)
        same[:, 0] = False
        scores = scores.masked_fill(torch.from_numpy(same).to(scores.device), -torch.inf)
        return {"filtering": -functional.log_softmax(scores, dim=1)[:, 0].mean()}
