"""What a query generator learns: the tokens of a query, given its document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from lexgear.model.text_generation.query_generator import QueryGenerator
from lexgear.training.examples import Examples


@dataclass
class WritingObjective:
    """−log P of a token of a query; a batch is one of pairs."""

    writer: QueryGenerator
    documents: Examples
    """What is read, by pair."""
    queries: Examples
    """What is to be written, by pair, each with its end."""
    tokens: int = field(default=0, init=False)
    """Read or written so far, padding left out."""

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """One loss: writing."""
        read, wanted = self.documents.rows(batch), self.queries.rows(batch)
        self.tokens += int(read.mask.sum()) + int(wanted.mask.sum())
        return {"writing": self.writer.nll(read.numbers, read.mask, wanted.numbers, wanted.mask)}
