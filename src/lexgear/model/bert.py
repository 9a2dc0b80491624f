"""BERT encoder (Devlin et al., 2019; also RoBERTa and XLM-R) that can replace the encoder of a T5.

It maps word embeddings and a mask to states, as `lexgear.model.t5.Encoder` does, so that the tree decoder and all
callers are the same for both. `tests/model/test_bert.py` compares it with transformers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from lexgear.errors import ErrorCode, InputError

KINDS = ("bert", "roberta", "xlm-roberta", "camembert")
"""Model types of transformers that this module reproduces."""
_FROM_PADDING = ("roberta", "xlm-roberta", "camembert")
"""Types whose positions count from the padding token's number on."""


@dataclass(frozen=True, slots=True)
class BertShape:
    """Sizes of a BERT encoder, besides vocabulary, width and dropout."""

    layers: int
    heads: int
    inner: int
    """Width of the feed-forward layers."""
    positions: int
    """Rows of the position table."""
    first_position: int = 0
    """Row of a text's first token: 0 for BERT, the padding token's number plus 1 for RoBERTa."""
    types: int = 2
    """Rows of the token-type table."""
    eps: float = 1e-12
    """Constant of the layer norms."""
    pooling: str = "mean"
    """State that represents a text: the `mean` of all states, or that of the first token (`cls`)."""

    @property
    def max_length(self) -> int:
        """Tokens that the encoder can read at most."""
        return self.positions - self.first_position

    @classmethod
    def of_config(cls, config: Any, pooling: str = "mean") -> BertShape:
        """Return the sizes of a transformers configuration."""
        if config.model_type not in KINDS or config.hidden_act != "gelu":
            raise InputError(
                f"an encoder of type {config.model_type!r} with activation {config.hidden_act!r}",
                code=ErrorCode.CHECKPOINT_INVALID,
                remedy=f"use one of the types {', '.join(KINDS)} with gelu",
            )
        return cls(
            layers=config.num_hidden_layers,
            heads=config.num_attention_heads,
            inner=config.intermediate_size,
            positions=config.max_position_embeddings,
            first_position=config.pad_token_id + 1 if config.model_type in _FROM_PADDING else 0,
            types=config.type_vocab_size,
            eps=config.layer_norm_eps,
            pooling=pooling,
        )


class BertLayer(nn.Module):
    """Self-attention and feed-forward layer, each followed by a norm."""

    def __init__(self, width: int, shape: BertShape, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = shape.heads, nn.Dropout(dropout)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.inward, self.outward = nn.Linear(width, shape.inner), nn.Linear(shape.inner, width)
        self.attention_norm, self.output_norm = (nn.LayerNorm(width, shape.eps) for _ in range(2))

    def forward(self, states: Tensor, seen: Tensor, first: int | None = None) -> Tensor:
        """Process all positions, or only the first of them, which attend to all.

        `seen`, (batch, 1, 1, positions), is False at padding.
        """
        k, v = (self._by_head(layer(states)) for layer in (self.k, self.v))
        states = states[:, :first]
        taken = functional.scaled_dot_product_attention(self._by_head(self.q(states)), k, v, seen)
        states = self.attention_norm(states + self.dropout(self.o(taken.transpose(1, 2).flatten(2))))
        fed = self.outward(functional.gelu(self.inward(states)))
        out: Tensor = self.output_norm(states + self.dropout(fed))
        return out

    def _by_head(self, states: Tensor) -> Tensor:
        return states.view(*states.shape[:-1], self.heads, -1).transpose(1, 2)


class BertEncoder(nn.Module):
    """Position and token-type embeddings and the layers of a BERT; word embeddings are the caller's."""

    def __init__(self, width: int, shape: BertShape, dropout: float) -> None:
        super().__init__()
        self.shape = shape
        self.positions, self.types = nn.Embedding(shape.positions, width), nn.Embedding(shape.types, width)
        self.norm, self.dropout = nn.LayerNorm(width, shape.eps), nn.Dropout(dropout)
        self.layers = nn.ModuleList(BertLayer(width, shape, dropout) for _ in range(shape.layers))

    def forward(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Map word embeddings, (batch, positions, width), to states."""
        states, seen = self.with_positions(embedded), mask[:, None, None, :]
        for layer in self.layers:
            states = layer(states, seen)
        return states

    def first_states(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the state of the first position of each text; the last layer processes no other."""
        states, seen = self.with_positions(embedded), mask[:, None, None, :]
        *layers, last = self.bert_layers()
        for layer in layers:
            states = layer(states, seen)
        first: Tensor = last(states, seen, 1)[:, 0]
        return first

    def bert_layers(self) -> list[BertLayer]:
        """Return the layers with their type, which `ModuleList` does not keep."""
        return [layer for layer in self.layers if isinstance(layer, BertLayer)]

    def with_positions(self, embedded: Tensor) -> Tensor:
        """Return the input of the first layer: words, positions and token type, normalised."""
        length = embedded.shape[1]
        if length > self.shape.max_length:
            raise InputError(
                f"a text of {length} tokens; the encoder reads at most {self.shape.max_length}",
                code=ErrorCode.INVALID_SETTING,
                remedy=f"set max_length to {self.shape.max_length} or less",
                max_length=self.shape.max_length,
            )
        places = self.shape.first_position + torch.arange(length, device=embedded.device)
        states: Tensor = self.dropout(self.norm(embedded + self.positions(places) + self.types.weight[0]))
        return states


_LAYERS = {
    "attention.self.query": "q",
    "attention.self.key": "k",
    "attention.self.value": "v",
    "attention.output.dense": "o",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "inward",
    "output.dense": "outward",
    "output.LayerNorm": "output_norm",
}
_EMBEDDINGS = {
    "embeddings.word_embeddings.weight": "embed.weight",
    "embeddings.position_embeddings.weight": "encoder.positions.weight",
    "embeddings.token_type_embeddings.weight": "encoder.types.weight",
    "embeddings.LayerNorm.weight": "encoder.norm.weight",
    "embeddings.LayerNorm.bias": "encoder.norm.bias",
}


def our_name(theirs: str) -> str | None:
    """Return our name of a weight of transformers; None for weights that are not used.

    >>> our_name("encoder.layer.0.attention.self.query.bias")
    'encoder.layers.0.q.bias'
    """
    if theirs in _EMBEDDINGS:
        return _EMBEDDINGS[theirs]
    stack, _, rest = theirs.partition("encoder.layer.")
    number, _, inside = rest.partition(".")
    module, _, kind = inside.rpartition(".")
    return None if stack or module not in _LAYERS else f"encoder.layers.{number}.{_LAYERS[module]}.{kind}"
