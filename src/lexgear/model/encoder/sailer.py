"""SAILER's pretraining architecture (Li et al., SIGIR 2023): a fact encoder and shallow decoders.

A decoder sees one vector of the facts and a heavily masked part of the judgment: what the remaining words do not reveal
has to come from the vector. Decoders have no access to other states of the encoder.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import torch
from torch import Tensor, nn

from lexgear.model.encoder.bodies import T5Body
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.model.t5 import Encoder, T5Shape


class ShallowDecoder(nn.Module):
    """One bidirectional layer; the vector of the facts takes the first position."""

    def __init__(self, shape: T5Shape) -> None:
        super().__init__()
        self.layer = Encoder(replace(shape, encoder_layers=1))

    def forward(self, vectors: Tensor, embedded: Tensor, seen: Tensor) -> Tensor:
        """Return the states of a masked text, given one vector per text."""
        together = torch.cat([vectors.unsqueeze(1).to(embedded.dtype), embedded], dim=1)
        states: Tensor = self.layer(together, torch.cat([seen.new_ones(len(seen), 1), seen], dim=1))
        return states[:, 1:]


class StructureModel(nn.Module):
    """Encoder of facts with one decoder per other part of a judgment; all share the encoder's embeddings."""

    def __init__(self, encoder: TextEncoder, body: T5Body, parts: Iterable[str]) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoders = nn.ModuleDict({part: ShallowDecoder(body.shape) for part in parts})

    @property
    def body(self) -> T5Body:
        """Encoder of the facts."""
        body = self.encoder.body
        assert isinstance(body, T5Body)
        return body

    def read(self, tokens: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Return the states of the facts and the vector of each text that is used in retrieval."""
        states = self.body.states(tokens, seen)
        return states[:, self.body.added :], self.encoder.pooled(states, seen)

    def decode(self, part: str, vectors: Tensor, tokens: Tensor, seen: Tensor) -> Tensor:
        """Return the states of a masked part, given the vectors of the facts."""
        states: Tensor = self.decoders[part](vectors, self.body.embed(tokens), seen)
        return states
