"""Sliding-window attention as in Longformer (Beltagy et al., 2020), with a global first token.

`attention_masks` gives a Longformer of transformers, such as Lawformer, its global attention on [CLS], the token that
stands for the whole text. Lawformer's own retrieval reads query and candidate as one text, with global attention on the
query; a bi-encoder reads each alone, and a query that is shorter than the window sees itself whole.

`WindowedEncoder` is the same for models from scratch: a mask over full attention with one set of projections.
Longformer's kernel skips masked scores and has separate projections for global tokens; the visible positions are the
same.
"""

from __future__ import annotations

import torch
from torch import Tensor

from lexgear.model.generator.decoder_memory import padding_bias
from lexgear.model.t5 import Encoder, T5Shape, attended_in


class WindowedEncoder(Encoder):
    """Encoder whose tokens attend to `window` positions on either side and to the first token."""

    def __init__(self, shape: T5Shape, window: int) -> None:
        super().__init__(shape)
        self.window = window

    def forward(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Map embedded tokens, (batch, positions, width), to states."""
        places = torch.arange(embedded.shape[1], device=embedded.device)
        precise = attended_in(embedded)
        learnt = self.distances(places, places).to(precise).masked_fill(~sees(places, self.window), -torch.inf)
        return self.through(embedded, learnt + padding_bias(mask, precise))


def attention_masks(model_type: str, seen: Tensor) -> dict[str, Tensor]:
    """Return the masks that a transformers encoder needs, given the valid tokens: (texts, tokens).

    >>> attention_masks("longformer", torch.tensor([[True, True, False]]))["global_attention_mask"].tolist()
    [[1, 0, 0]]
    """
    masks = {"attention_mask": seen.long()}
    if model_type == "longformer":
        masks["global_attention_mask"] = torch.zeros_like(seen, dtype=torch.int64)
        masks["global_attention_mask"][:, 0] = 1
    return masks


def sees(places: Tensor, window: int) -> Tensor:
    """Return a (places, places) mask of visible positions; the first position sees and is seen by all.

    >>> sees(torch.arange(4), 1).int().tolist()
    [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 1, 1]]
    """
    near = (places.unsqueeze(0) - places.unsqueeze(1)).abs() <= window
    return near | (places == 0).unsqueeze(0) | (places == 0).unsqueeze(1)
