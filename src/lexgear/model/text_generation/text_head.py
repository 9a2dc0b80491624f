"""Text generation with the decoder: token scores from the text head, separate from the law symbols."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.model.checkpoints import Backbone
from lexgear.model.device import to_device
from lexgear.model.generator.decoder_memory import Memory

START = 0
"""Token before the first: padding, as in T5."""


def text_nll(backbone: Backbone, memory: Memory, targets: NDArray[Any], wanted: NDArray[np.bool_]) -> Tensor:
    """Return the mean −log P of the wanted tokens, given the tokens before them and the encoded text."""
    device = backbone.embed.weight.device
    chosen = text_states(backbone, memory, targets).flatten(0, 1)[to_device(np.flatnonzero(wanted), device)]
    right = to_device(targets[wanted].astype(np.int64), device)
    return functional.cross_entropy(token_logits(backbone, chosen), right)


def text_states(backbone: Backbone, memory: Memory, targets: NDArray[Any], summary: Tensor | float = 0.0) -> Tensor:
    """Return the decoder states that predict each token, (texts, tokens, width); `summary` is added to the inputs."""
    device = backbone.embed.weight.device
    before = np.pad(targets[:, :-1], ((0, 0), (1, 0)), constant_values=START)
    embedded = backbone.embed(to_device(before.astype(np.int64), device)) + summary
    length = targets.shape[1]
    depths = torch.arange(length, device=device)
    sees = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    states: Tensor = backbone.decoder(embedded, depths, sees, memory)
    return states


def token_logits(backbone: Backbone, states: Tensor) -> Tensor:
    """Return token scores: (…, width) to (…, tokens)."""
    if backbone.head is not None:
        scores: Tensor = backbone.head(states)
        return scores.float()
    return functional.linear(states * backbone.shape.width**-0.5, backbone.embed.weight).float()
