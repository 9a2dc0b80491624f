"""SAILER's architecture while it pretrains (Li et al., SIGIR 2023): an encoder of facts, shallow decoders of the rest.

A decoder sees one vector of the facts and the text it has to restore, most of it hidden: what it cannot guess from the
words left standing, the vector has to say. There is no way from a decoder to the encoder's other states.
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
    """One layer whose places see each other both ways; the vector of the facts stands in the first."""

    def __init__(self, shape: T5Shape) -> None:
        super().__init__()
        self.layer = Encoder(replace(shape, encoder_layers=1))

    def forward(self, vectors: Tensor, embedded: Tensor, seen: Tensor) -> Tensor:
        """The states of the text's places, by a vector a text and the text as it is shown."""
        together = torch.cat([vectors.unsqueeze(1).to(embedded.dtype), embedded], dim=1)
        states: Tensor = self.layer(together, torch.cat([seen.new_ones(len(seen), 1), seen], dim=1))
        return states[:, 1:]


class StructureModel(nn.Module):
    """An encoder of facts, and a decoder for each other part of a judgment; all share the encoder's embeddings."""

    def __init__(self, encoder: TextEncoder, body: T5Body, parts: Iterable[str]) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoders = nn.ModuleDict({part: ShallowDecoder(body.shape) for part in parts})

    @property
    def body(self) -> T5Body:
        """What reads the facts."""
        body = self.encoder.body
        assert isinstance(body, T5Body)
        return body

    def read(self, tokens: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """The states of the facts' places, and the vector of each text: the one it will be found by."""
        states = self.body.states(tokens, seen)
        return states[:, self.body.added :], self.encoder.pooled(states, seen)

    def decode(self, part: str, vectors: Tensor, tokens: Tensor, seen: Tensor) -> Tensor:
        """The states of a part's places, by the vectors of the facts and the part as it is shown."""
        states: Tensor = self.decoders[part](vectors, self.body.embed(tokens), seen)
        return states
