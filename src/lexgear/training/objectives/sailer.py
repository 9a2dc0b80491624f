"""SAILER's objective (Li et al., SIGIR 2023): facts that tell their own hidden words, and how the case was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from lexgear.model.device import to_device
from lexgear.model.encoder.sailer import StructureModel
from lexgear.training.examples import Examples
from lexgear.training.objectives.masked import Masked, masked, masked_nll

FACTS, PARTS = 0.15, 0.45
"""Shares of the tokens to be told: of the facts, and of the parts that the decoders restore; both as in the paper."""


def hidden(texts: Examples, share: float, sign: int, rng: np.random.Generator) -> Masked:
    """The texts with a random share of their tokens hidden: none of these is left standing, as `masked` leaves some."""
    wanted = texts.mask & (rng.random(texts.mask.shape) < share)
    return Masked(np.where(wanted, sign, texts.numbers), wanted)


@dataclass
class StructureObjective:
    """Tell the hidden tokens of the facts; by their vector, those of the other parts."""

    model: StructureModel
    facts: Examples
    parts: Mapping[str, Examples]
    """By name and in the order of the facts; where a judgment lacks a part, no token of it counts."""
    tokens: int = 0

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> Mapping[str, Tensor]:
        """−log P of a hidden token, in the facts and in each part."""
        model, body, facts = self.model, self.model.body, self.facts.rows(batch)
        shown = masked(facts, FACTS, body, rng)
        states, vectors = model.read(self._carried(shown.numbers), self._carried(facts.mask))
        self.tokens += int(facts.mask.sum())
        losses = {"masked": masked_nll(body, states, facts, shown.wanted)}
        for name, texts in self.parts.items():
            part = texts.rows(batch)
            shown = hidden(part, PARTS, body.hidden, rng)
            told = model.decode(name, vectors, self._carried(shown.numbers), self._carried(part.mask))
            self.tokens += int(part.mask.sum())
            # A batch may hold no token to tell; the mean over none would be no number.
            losses[name] = masked_nll(body, told, part, shown.wanted) if shown.wanted.any() else 0 * told.sum()
        return losses

    def _carried(self, values: NDArray[Any]) -> Tensor:
        whole = values if values.dtype == np.bool_ else values.astype(np.int64)
        return to_device(whole, self.model.encoder.device)
