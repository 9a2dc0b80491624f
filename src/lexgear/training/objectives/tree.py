"""What objectives over a generator and its IDs share: texts are read, ways down the tree are learnt, tokens counted."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from lexgear.docids.ids import DocIds
from lexgear.model.generator.generator import Generator, Read
from lexgear.training.examples import Examples, Ints, paths_to, sample_leaves
from lexgear.training.losses import sequence_nll

MOST_IDS = 6
"""IDs of an example that one batch scores; the others wait for another epoch."""


@dataclass
class TreeObjective:
    """A generator that learns, and the IDs it learns."""

    generator: Generator
    ids: DocIds
    tokens: int = field(default=0, init=False)
    """Read or written so far, padding left out."""

    def _read(self, examples: Examples) -> Read:
        self.tokens += int(examples.mask.sum())
        return self.generator.read(examples.numbers, examples.mask)

    def _ids_nll(self, examples: Examples, read: Read, rng: np.random.Generator, *, children: bool) -> Tensor:
        """−log P of the IDs of examples that were read, some of them where there are many."""
        leaves, owners = sample_leaves(examples.leaves, MOST_IDS, rng)
        return self._nll(read, owners, paths_to(self.ids, leaves.tolist()), children=children)

    def _nll(self, read: Read, owners: Ints, paths: Ints, *, children: bool = True) -> Tensor:
        """−log P of ways down the tree, each for the text that owns it."""
        self.tokens += int((paths >= 0).sum())
        steps = self.generator.step_log_probs(read, owners, paths, self.ids.trie, children=children)
        return sequence_nll(steps, torch.from_numpy(paths >= 0).to(steps.device))
