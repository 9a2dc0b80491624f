"""Base of the objectives over a generator and its IDs: encoding, path losses and token counts."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from lexgear.docids.ids import DocIds
from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.training.examples import Examples, Ints, paths_to, sample_leaves
from lexgear.training.losses import sequence_nll

MAX_IDS = 6
"""IDs of an example that are scored per batch; they are sampled anew in every epoch."""


@dataclass
class TreeObjective:
    """Generator to train, with the IDs of the collection."""

    generator: Generator
    ids: DocIds
    tokens: int = field(default=0, init=False)
    """Tokens read or generated so far, without padding."""

    def _read(self, examples: Examples) -> EncodedTexts:
        self.tokens += int(examples.mask.sum())
        return self.generator.read(examples.numbers, examples.mask)

    def _ids_nll(self, examples: Examples, read: EncodedTexts, rng: np.random.Generator, *, children: bool) -> Tensor:
        """Return −log P of the IDs of encoded examples; examples with many IDs are sampled."""
        leaves, owners = sample_leaves(examples.leaves, MAX_IDS, rng)
        return self._nll(read, owners, paths_to(self.ids, leaves.tolist()), children=children)

    def _nll(
        self, read: EncodedTexts, owners: Ints, paths: Ints, *, children: bool = True, mean: bool = True
    ) -> Tensor:
        """Return −log P of paths down the tree, each for the text that owns it."""
        self.tokens += int((paths >= 0).sum())
        steps = self.generator.step_log_probs(read, owners, paths, self.ids.trie, children=children)
        return sequence_nll(steps, torch.from_numpy(paths >= 0).to(steps.device), mean=mean)
