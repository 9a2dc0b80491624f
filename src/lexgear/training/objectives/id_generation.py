"""Objective of the generative baselines: generate the IDs of a text."""

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
    """−log P of the IDs of a batch, with a separate loss for each kind of additional texts."""

    kind: str
    """Name of the batch's loss in the log."""
    texts: Examples
    extra: Mapping[str, Examples]
    """Additional texts by the name of their loss."""
    extra_per_batch: int = 8
    children: bool = True
    """Softmax over a node's children; otherwise over all symbols."""

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the loss of the batch and of the additional texts."""
        found = {self.kind: self._loss(self.texts.rows(batch), rng)}
        for kind, texts in self.extra.items():
            if len(texts):
                chosen = rng.choice(len(texts), min(self.extra_per_batch, len(texts)), replace=False)
                found[kind] = self._loss(texts.rows(chosen), rng)
        return found

    def _loss(self, texts: Examples, rng: np.random.Generator) -> Tensor:
        return self._ids_nll(texts, self._read(texts), rng, children=self.children)
