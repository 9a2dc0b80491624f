"""SAILER's pretraining architecture (Li et al., SIGIR 2023): a fact encoder and shallow decoders.

A decoder sees one vector of the facts and a heavily masked part of the judgment: what the remaining words do not reveal
has to come from the vector. Decoders have no access to other states of the encoder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from lexgear.model.bert import BertLayer, BertShape
from lexgear.model.encoder.bodies import BertBody, Masking, T5Body
from lexgear.model.encoder.text_encoder import TextEncoder
from lexgear.model.t5 import Encoder, T5Shape


class ShallowDecoder(nn.Module):
    """One bidirectional layer of a T5; the vector of the facts stands before the text."""

    def __init__(self, shape: T5Shape) -> None:
        super().__init__()
        self.layer = Encoder(replace(shape, encoder_layers=1))

    def forward(self, vectors: Tensor, embedded: Tensor, seen: Tensor) -> Tensor:
        """Return the states of a masked text, given one vector per text."""
        together = torch.cat([vectors.unsqueeze(1).to(embedded.dtype), embedded], dim=1)
        states: Tensor = self.layer(together, torch.cat([seen.new_ones(len(seen), 1), seen], dim=1))
        return states[:, 1:]


class BertShallowDecoder(nn.Module):
    """One bidirectional layer of a BERT; the vector of the facts stands in place of the text's [CLS]."""

    def __init__(self, width: int, shape: BertShape, dropout: float) -> None:
        super().__init__()
        self.layer = BertLayer(width, shape, dropout)

    def forward(self, vectors: Tensor, embedded: Tensor, seen: Tensor) -> Tensor:
        """Return the states of a masked text, given one vector per text."""
        together = torch.cat([vectors.unsqueeze(1).to(embedded.dtype), embedded[:, 1:]], dim=1)
        shown = seen.clone()
        shown[:, 0] = True  # a part that a judgment lacks has no token to attend to
        states: Tensor = self.layer(together, shown[:, None, None, :])
        return states


class StructureModel(nn.Module, ABC):
    """Encoder of facts with one decoder per other part of a judgment; all share the encoder's embeddings."""

    def __init__(self, encoder: TextEncoder, masking: Masking, decoders: Mapping[str, nn.Module]) -> None:
        super().__init__()
        self.encoder, self.masking, self.decoders = encoder, masking, nn.ModuleDict(dict(decoders))

    @abstractmethod
    def read(self, tokens: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Return the states of the facts and the vector of each text that the decoders see."""

    @abstractmethod
    def embedded(self, tokens: Tensor) -> Tensor:
        """Return the decoder inputs of tokens."""

    @abstractmethod
    def guesses(self, states: Tensor) -> Tensor:
        """Return logits over the vocabulary for states of masked positions."""

    def decode(self, part: str, vectors: Tensor, tokens: Tensor, seen: Tensor) -> Tensor:
        """Return the states of a masked part, given the vectors of the facts."""
        states: Tensor = self.decoders[part](vectors, self.embedded(tokens), seen)
        return states


class T5StructureModel(StructureModel):
    """A T5 that reads the facts; the decoders see the unit vector that is used in retrieval."""

    def __init__(self, encoder: TextEncoder, body: T5Body, parts: Iterable[str]) -> None:
        super().__init__(encoder, body.masking, {part: ShallowDecoder(body.shape) for part in parts})

    @property
    def body(self) -> T5Body:
        """Encoder of the facts."""
        body = self.encoder.body
        assert isinstance(body, T5Body)
        return body

    def read(self, tokens: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Return the states of the facts and the unit vector of each text."""
        states = self.body.states(tokens, seen)
        return states[:, self.body.added :], self.encoder.pooled(states, seen)

    def embedded(self, tokens: Tensor) -> Tensor:
        """Return the word embeddings of tokens."""
        embedded: Tensor = self.body.embed(tokens)
        return embedded

    def guesses(self, states: Tensor) -> Tensor:
        """Return logits over the vocabulary for states of masked positions."""
        return self.body.guesses(states)


class BertStructureModel(StructureModel):
    """A BERT that reads the facts, as published: the decoders have its kind of layer and see its state of [CLS].

    The head that guesses tokens is new, since encoders for retrieval come without one.
    """

    def __init__(self, encoder: TextEncoder, body: BertBody, parts: Iterable[str], masking: Masking) -> None:
        config = body.model.config
        shape = BertShape(
            layers=1,
            heads=config.num_attention_heads,
            inner=config.intermediate_size,
            positions=config.max_position_embeddings,
            eps=config.layer_norm_eps,
        )
        dropout = config.hidden_dropout_prob
        super().__init__(encoder, masking, {part: BertShallowDecoder(body.width, shape, dropout) for part in parts})
        self.head = nn.Sequential(nn.Linear(body.width, body.width), nn.GELU(), nn.LayerNorm(body.width, shape.eps))
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    @property
    def bert(self) -> Any:
        """Encoder of the facts, a model of transformers."""
        body = self.encoder.body
        assert isinstance(body, BertBody)
        return body.model

    def read(self, tokens: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Return the states of the facts and the one that represents each text."""
        states = self.encoder.body.states(tokens, seen)
        return states, self.encoder.whole(states, seen)

    def embedded(self, tokens: Tensor) -> Tensor:
        """Return word and position embeddings of tokens, normalised."""
        embedded: Tensor = self.bert.embeddings(input_ids=tokens)
        return embedded

    def guesses(self, states: Tensor) -> Tensor:
        """Return logits over the vocabulary; the output weights are the word embeddings."""
        scores: Tensor = self.head(states) @ self.bert.get_input_embeddings().weight.T + self.bias
        return scores
