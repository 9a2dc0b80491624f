"""Bi-encoder: one unit vector per text, the same encoder for queries and documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from lexgear.files import PartsDirectory, read_json, write_json_list
from lexgear.model.device import to_device
from lexgear.model.encoder.bodies import Body, body_of_row
from lexgear.progress import Progress, silent

ABOUT, WEIGHTS = "encoder.json", "encoder.safetensors"
BATCH_SIZE = 64
"""Texts per batch in inference."""


class TextEncoder(nn.Module):
    """Encoder of token ids to a unit vector: the first state (`cls`) or the `mean` of the token states."""

    def __init__(self, body: Body, pooling: str, *, projected: bool = False) -> None:
        super().__init__()
        self.body, self.pooling = body, pooling
        # Base models have a trained projection for similarity.
        self.projection = nn.Linear(body.width, body.width, bias=False) if projected else None

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return next(self.parameters()).device

    def read(self, numbers: NDArray[Any], mask: NDArray[np.bool_]) -> Tensor:
        """Return the vectors of tokenised texts."""
        return self.forward(to_device(numbers.astype(np.int64), self.device), to_device(mask, self.device))

    def forward(self, tokens: Tensor, seen: Tensor) -> Tensor:
        """Return unit vectors, (texts, width)."""
        return self.pooled(self.body.states(tokens, seen), seen)

    def pooled(self, states: Tensor, seen: Tensor) -> Tensor:
        """Return the vectors of texts from their states."""
        return self.as_vectors(self.whole(states, seen))

    def as_vectors(self, whole: Tensor) -> Tensor:
        """Return the unit vectors of texts, given the state that represents each text."""
        if self.projection is not None:
            whole = self.projection(whole)
        return functional.normalize(whole.float(), dim=-1)

    def whole(self, states: Tensor, seen: Tensor) -> Tensor:
        """Return the state that represents each text, neither projected nor scaled."""
        if self.pooling == "cls":
            return states[:, 0]
        weights = seen.unsqueeze(-1).to(states.dtype)
        return (states[:, self.body.added :] * weights).sum(1) / weights.sum(1)

    @torch.no_grad()
    def read_all(self, numbers: NDArray[Any], mask: NDArray[np.bool_], progress: Progress = silent) -> Tensor:
        """Return the vectors of many texts on the model's device, without gradients.

        Texts of similar length are batched. The batches depend on the texts alone, so that the same texts always get
        the same vectors.
        """
        lengths = mask.sum(1)
        order = np.argsort(lengths, kind="stable")
        found = torch.zeros(len(order), self.body.width, device=self.device)
        was_training = self.training
        self.eval()
        for begin in range(0, len(order), BATCH_SIZE):
            chosen = order[begin : begin + BATCH_SIZE]
            width = int(lengths[chosen[-1]])
            read = self.read(numbers[chosen, :width], mask[chosen, :width])
            found[to_device(chosen, self.device)] = read
            progress(min(begin + BATCH_SIZE, len(order)), len(order), "reading documents")
        self.train(was_training)
        return found

    @property
    def longest(self) -> int:
        """Tokens that the encoder reads at most."""
        return self.body.longest

    def pretrained_parts(self) -> list[nn.Module]:
        """Return the modules that a base model or a checkpoint brings."""
        return [self.body] if self.projection is None else [self.body, self.projection]

    def head(self) -> dict[str, Any]:
        """Return the arguments besides the body."""
        return {"pooling": self.pooling, "projected": self.projection is not None}

    def save(self, directory: PartsDirectory) -> None:
        """Writes sizes and weights as parts of an index."""
        write_json_list(directory / ABOUT, [self.head(), self.body.row()])
        save_file({name: value.contiguous() for name, value in self.state_dict().items()}, directory / WEIGHTS)

    @classmethod
    def load(cls, directory: PartsDirectory) -> TextEncoder:
        """Read what `save` wrote."""
        [head, row] = read_json(directory / ABOUT)
        encoder = cls(body_of_row(row), **head)
        encoder.load_state_dict(load_file(directory / WEIGHTS))
        return encoder.eval()
