"""Texts are read twice under dropout, and the decoder is to be in the same state both times (Wang et al., 2022)."""

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
from lexgear.training.objectives.tree import MOST_IDS

TEMPERATURE = 1.0
"""Of cosines in the contrastive loss."""


@dataclass
class ConsistencyObjective(IdObjective):
    """−log P of IDs as in `IdObjective`, in the mean over two readings, and how far their states are apart.

    Without dropout two readings are the same: there is one, and nothing to be pulled together.
    """

    weight: float = 0.15
    """Of the loss `consistency`."""
    _apart: list[Tensor] = field(default_factory=list, init=False)
    """Of the kinds of texts in this batch."""

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """The losses of the IDs, and the weighted one of consistency."""
        self._apart.clear()
        found = super().losses(batch, rng)
        apart = torch.stack(self._apart).mean() if self._apart else torch.zeros((), device=self.generator.device)
        return {**found, "consistency": self.weight * apart}

    def _loss(self, texts: Examples, rng: np.random.Generator) -> Tensor:
        if not self.weight or not self.generator.backbone.shape.dropout:
            return super()._loss(texts, rng)
        read = self._read(concatenate_examples(texts, texts))
        leaves, owners = sample_leaves(texts.leaves, MOST_IDS, rng)
        once = paths_to(self.ids, leaves.tolist())
        paths, both = np.concatenate([once, once]), np.concatenate([owners, len(texts) + owners])
        # Through the decoder once more than needed: it is short beside the encoder, which reads the texts.
        states = self.generator.walk_states(read, to_device(both, self.generator.device), paths, self.ids.trie)
        self._apart.append(consistency_nll(states, owners, once >= 0))
        return self._nll(read, both, paths, children=self.children)


def consistency_nll(
    states: Tensor, owners: NDArray[Any], taken: NDArray[np.bool_], temperature: float = TEMPERATURE
) -> Tensor:
    """−log softmax of a state's own second reading among both readings of other texts at the same step, in the mean.

    `states` are those of all first readings, then of all second ones: (2 · paths, steps, width); `owners` (paths) says
    which text a path belongs to, `taken` (paths, steps) which steps there are.
    """
    count, device = len(owners), states.device
    others = owners[:, None] != owners[None, :]
    counts = taken.T[:, None, :] & others  # (steps, paths, paths)
    own = np.broadcast_to(np.eye(count, dtype=np.bool_), counts.shape)
    allowed = to_device(np.concatenate([counts, counts | own], axis=2), device)
    with torch.autocast(device.type, enabled=False):  # bfloat16 tells cosines apart by .004 at best
        unit = functional.normalize(states.float(), dim=-1).transpose(0, 1)
        scores = (unit[:, :count] @ unit.transpose(1, 2) / temperature).masked_fill(~allowed, -torch.inf)
        right = scores.log_softmax(-1).diagonal(count, 1, 2)  # (steps, paths)
    there = to_device(taken.T, device)
    return -right.masked_fill(~there, 0.0).sum() / there.sum().clamp(min=1)
