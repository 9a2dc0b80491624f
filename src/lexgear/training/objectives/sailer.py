"""SAILER's objective (Li et al., SIGIR 2023): masked facts, and masked reasoning and decision given the facts'
vector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from lexgear.model.device import to_device
from lexgear.model.encoder.bodies import Masking
from lexgear.model.encoder.sailer import StructureModel
from lexgear.training.examples import Examples
from lexgear.training.objectives.masked import Masked, mask_tokens, maskable, masked_nll

FACTS, PARTS = 0.15, 0.45
"""Masked shares of the facts and of the parts that the decoders restore, as in the paper."""


def hide_tokens(texts: Examples, share: float, masking: Masking, rng: np.random.Generator) -> Masked:
    """Mask a random share of the tokens; unlike `mask_tokens`, it leaves or replaces none of them."""
    wanted = maskable(texts, masking) & (rng.random(texts.mask.shape) < share)
    return Masked(np.where(wanted, masking.hidden, texts.numbers), wanted)


@dataclass
class StructureObjective:
    """Predict the masked tokens of the facts and, from the facts' vector, those of the other parts."""

    model: StructureModel
    facts: Examples
    parts: Mapping[str, Examples]
    """Parts by name, in the order of the facts; a part that a judgment lacks has no tokens."""
    tokens: int = 0

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """Return the mean −log P of masked tokens, for the facts and for each part."""
        model, facts = self.model, self.facts.rows(batch)
        shown = mask_tokens(facts, FACTS, model.masking, rng)
        states, vectors = model.read(self._to_device(shown.numbers), self._to_device(facts.mask))
        self.tokens += int(facts.mask.sum())
        losses = {"masked": masked_nll(model, states, facts, shown.wanted)}
        for name, texts in self.parts.items():
            part = texts.rows(batch)
            shown = hide_tokens(part, PARTS, model.masking, rng)
            restored = model.decode(name, vectors, self._to_device(shown.numbers), self._to_device(part.mask))
            self.tokens += int(part.mask.sum())
            # A batch may have no masked token in a part; the mean over none would be NaN.
            losses[name] = masked_nll(model, restored, part, shown.wanted) if shown.wanted.any() else 0 * restored.sum()
        return losses

    def _to_device(self, values: NDArray[Any]) -> Tensor:
        whole = values if values.dtype == np.bool_ else values.astype(np.int64)
        return to_device(whole, self.model.encoder.device)
