"""Query generation objective: the tokens of a query, given its document."""

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
    """−log P of query tokens over a batch of document-query pairs."""

    writer: QueryGenerator
    documents: Examples
    """Documents, one per pair."""
    queries: Examples
    """Queries, one per pair, each with its end token."""
    tokens: int = field(default=0, init=False)
    """Tokens read or generated so far, without padding."""

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the loss `writing`."""
        read, wanted = self.documents.rows(batch), self.queries.rows(batch)
        self.tokens += int(read.mask.sum()) + int(wanted.mask.sum())
        return {"writing": self.writer.nll(read.numbers, read.mask, wanted.numbers, wanted.mask)}
