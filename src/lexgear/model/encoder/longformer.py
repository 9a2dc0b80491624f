"""Longformer's attention (Beltagy et al., 2020) over our encoder: near tokens see each other, the first sees all.

Here a mask over full attention, with one set of projections: Longformer's kernel skips what the mask hides, and its
global tokens have projections of their own. What a token may look at is the same.
"""

from __future__ import annotations

import torch
from torch import Tensor

from lexgear.model.generator.decoder_memory import padding_bias
from lexgear.model.t5 import Encoder, T5Shape, attended_in


class WindowedEncoder(Encoder):
    """An encoder whose tokens look at most `window` places to either side, and at the first token."""

    def __init__(self, shape: T5Shape, window: int) -> None:
        super().__init__(shape)
        self.window = window

    def forward(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """(batch, positions, width) of embedded tokens to as many states."""
        places = torch.arange(embedded.shape[1], device=embedded.device)
        precise = attended_in(embedded)
        learnt = self.distances(places, places).to(precise).masked_fill(~sees(places, self.window), -torch.inf)
        return self.through(embedded, learnt + padding_bias(mask, precise))


def sees(places: Tensor, window: int) -> Tensor:
    """(places, places): whether one may look at the other; the first looks at all, and all look at the first.

    >>> sees(torch.arange(4), 1).int().tolist()
    [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 1, 1]]
    """
    near = (places.unsqueeze(0) - places.unsqueeze(1)).abs() <= window
    return near | (places == 0).unsqueeze(0) | (places == 0).unsqueeze(1)
