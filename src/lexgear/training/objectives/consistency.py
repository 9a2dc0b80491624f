"""NCI's consistency loss: two dropout passes over a text should give the same decoder states (Wang et al., 2022)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.model.device import to_device
from lexgear.training.examples import Examples, concatenate_examples, paths_to, sample_leaves
from lexgear.training.objectives.id_generation import IdObjective
from lexgear.training.objectives.tree import MAX_IDS

TEMPERATURE = 1.0
"""Temperature of the cosines in the contrastive loss."""


@dataclass
class ConsistencyObjective(IdObjective):
    """`IdObjective` averaged over two dropout passes, plus a contrastive loss between their decoder states.

    Without dropout the passes are identical: only one is run, and the consistency loss is 0.
    """

    weight: float = 0.15
    """Weight of the loss `consistency`."""
    _apart: list[Tensor] = field(default_factory=list, init=False)
    """Consistency losses of the kinds of texts in this batch."""

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the losses of the IDs and the weighted consistency loss."""
        self._apart.clear()
        found = super().losses(batch, rng)
        apart = torch.stack(self._apart).mean() if self._apart else torch.zeros((), device=self.generator.device)
        return {**found, "consistency": self.weight * apart}

    def _loss(self, texts: Examples, rng: np.random.Generator) -> Tensor:
        if not self.weight or not self.generator.backbone.shape.dropout:
            return super()._loss(texts, rng)
        read = self._read(concatenate_examples(texts, texts))
        leaves, owners = sample_leaves(texts.leaves, MAX_IDS, rng)
        once = paths_to(self.ids, leaves.tolist())
        paths, both = np.concatenate([once, once]), np.concatenate([owners, len(texts) + owners])
        # A second decoder pass that could be avoided; it is short compared with the encoder.
        states = self.generator.walk_states(read, to_device(both, self.generator.device), paths, self.ids.trie)
        self._apart.append(consistency_nll(states, owners, once >= 0))
        return self._nll(read, both, paths, children=self.children)


def consistency_nll(
    states: Tensor, owners: NDArray[Any], taken: NDArray[np.bool_], temperature: float = TEMPERATURE
) -> Tensor:
    """Return −log softmax of each state's second pass among both passes of other texts at the same step, averaged.

    `states` holds all first passes, then all second passes: (2 · paths, steps, width). `owners` (paths) gives the text
    of each path, `taken` (paths, steps) the steps that exist.
    """
    count, device = len(owners), states.device
    others = owners[:, None] != owners[None, :]
    counts = taken.T[:, None, :] & others  # (steps, paths, paths)
    own = np.broadcast_to(np.eye(count, dtype=np.bool_), counts.shape)
    allowed = to_device(np.concatenate([counts, counts | own], axis=2), device)
    with torch.autocast(device.type, enabled=False):  # bfloat16 resolves cosines to .004 at best
        unit = functional.normalize(states.float(), dim=-1).transpose(0, 1)
        scores = (unit[:, :count] @ unit.transpose(1, 2) / temperature).masked_fill(~allowed, -torch.inf)
        right = scores.log_softmax(-1).diagonal(count, 1, 2)  # (steps, paths)
    there = to_device(taken.T, device)
    return -right.masked_fill(~there, 0.0).sum() / there.sum().clamp(min=1)
