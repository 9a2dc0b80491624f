"""Text in, ID out: what the generative baselines learn, whatever kind of text it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from lexgear.training.examples import Examples
from lexgear.training.objectives.tree import TreeObjective


@dataclass
class IdObjective(TreeObjective):
    """−log P of the IDs of a batch; of other texts some are drawn beside it, each kind with a loss of its own."""

    kind: str
    """What the loss of the batch is called in the log."""
    texts: Examples
    extra: Mapping[str, Examples]
    """Other texts by the name of their loss."""
    extra_per_batch: int = 8
    children: bool = True
    """Softmax over a node's children; over all symbols otherwise."""

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """The loss of the batch, and of what is drawn beside it."""
        found = {self.kind: self._loss(self.texts.rows(batch), rng)}
        for kind, texts in self.extra.items():
            if len(texts):
                chosen = rng.choice(len(texts), min(self.extra_per_batch, len(texts)), replace=False)
                found[kind] = self._loss(texts.rows(chosen), rng)
        return found

    def _loss(self, texts: Examples, rng: np.random.Generator) -> Tensor:
        return self._ids_nll(texts, self._read(texts), rng, children=self.children)
