"""Token encoders of the T5 and BERT families behind one interface.

Both return one state per position; the first position represents the whole text if `cls` pooling is used.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from lexgear.errors import ErrorCode, InputError
from lexgear.model.bert import BertEncoder
from lexgear.model.checkpoints import (
    KINDS,
    Backbone,
    load_checkpoint,
    load_tokens,
    pretrained,
    quiet_transformers,
    read_config,
)
from lexgear.model.encoder.longformer import WindowedEncoder, attention_masks
from lexgear.model.t5 import NO_LIMIT, Encoder, T5Shape
from lexgear.model.tokenizer import Tokens

AFTER_PADDING = ("roberta", "xlm-roberta", "camembert", "longformer")
"""Model types whose position ids start after the padding id."""


@dataclass(frozen=True, slots=True)
class Masking:
    """Tokens that masked language modelling needs."""

    hidden: int
    """Mask token."""
    vocabulary: int
    """Tokens below this number may replace a masked one."""
    special: tuple[int, ...] = ()
    """Tokens that are never masked, such as [CLS]."""


class Body(nn.Module, ABC):
    """Token encoder."""

    width: int
    longest: int = NO_LIMIT
    """Tokens that the encoder reads at most."""
    added: int = 0
    """Positions before the text that are not tokens."""

    @abstractmethod
    def states(self, tokens: Tensor, seen: Tensor) -> Tensor:
        """Return states, (texts, added + tokens, width); `seen` masks the valid tokens."""

    @abstractmethod
    def row(self) -> dict[str, Any]:
        """Return plain values from which `body_of_row` builds an untrained copy."""


class T5Body(Body):
    """Encoder of a backbone: a T5's, or the BERT that reads in its place.

    With `cls` a learnt vector precedes the text of a T5, because T5 has no such token. `window` limits the attention of
    a T5; a BERT reads short texts only.
    """

    def __init__(self, shape: T5Shape, *, cls: bool = False, window: int = 0) -> None:
        super().__init__()
        self.shape, self.window = shape, window
        self.width, self.longest = shape.width, shape.max_length
        self.embed = nn.Embedding(shape.vocabulary, shape.width)
        self.encoder: nn.Module
        if shape.reader:
            self.encoder, cls = BertEncoder(shape.width, shape.reader, shape.dropout), False
        else:
            self.encoder = WindowedEncoder(shape, window) if window else Encoder(shape)
        self.added = int(cls)
        self.first = nn.Parameter(torch.randn(shape.width)) if cls else None

    def copied(self, backbone: Backbone) -> T5Body:
        """Copy the weights of a backbone into this encoder and return it."""
        self.embed.load_state_dict(backbone.embed.state_dict())
        self.encoder.load_state_dict(backbone.encoder.state_dict())
        return self

    @property
    def masking(self) -> Masking:
        """Tokens of masked language modelling; the mask is the last id, which no trained tokenizer uses."""
        return Masking(self.shape.vocabulary - 1, self.shape.vocabulary - 1)

    def states(self, tokens: Tensor, seen: Tensor) -> Tensor:
        """Return the states of the `cls` vector, if any, and of the tokens."""
        embedded = self.embed(tokens)
        if self.first is not None:
            embedded = torch.cat([self.first.expand(len(tokens), 1, -1), embedded], dim=1)
            seen = torch.cat([seen.new_ones(len(seen), 1), seen], dim=1)
        states: Tensor = self.encoder(embedded, seen)
        return states

    def guesses(self, states: Tensor) -> Tensor:
        """Return logits over the vocabulary for states of masked positions."""
        scores: Tensor = states @ self.embed.weight.T * self.width**-0.5
        return scores

    def row(self) -> dict[str, Any]:
        """Return the sizes."""
        return {"shape": self.shape.to_row(), "cls": bool(self.added), "window": self.window}


class BertBody(Body):
    """Any transformers encoder that reads `input_ids`: BERT, RoBERTa, Longformer."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        model.pooler = None  # text vectors are pooled from the states
        self.model, config = model, model.config
        self.padding = int(config.pad_token_id or 0)
        self.width = config.hidden_size
        self.longest = config.max_position_embeddings
        if config.model_type in AFTER_PADDING:
            self.longest -= self.padding + 1

    def states(self, tokens: Tensor, seen: Tensor) -> Tensor:
        """Return the token states; a Longformer has global attention on the first token."""
        masks = attention_masks(self.model.config.model_type, seen)
        states: Tensor = self.model(input_ids=tokens.masked_fill(~seen, self.padding), **masks).last_hidden_state
        return states

    def row(self) -> dict[str, Any]:
        """Return the configuration."""
        config: dict[str, Any] = json.loads(self.model.config.to_json_string(use_diff=False))
        return {"config": config}


def body_of_row(row: Mapping[str, Any]) -> Body:
    """Build an untrained encoder from what `Body.row` returned."""
    if "shape" in row:
        return T5Body(T5Shape.from_row(row["shape"]), cls=row["cls"], window=row["window"])
    with quiet_transformers() as transformers:
        return BertBody(transformers.AutoModel.from_config(transformers.AutoConfig.for_model(**row["config"])))


def body_of_checkpoint(
    directory: Path, *, dropout: float, cls: bool, window: int, tokenizer: str = ""
) -> tuple[Body, Tokens]:
    """Return encoder and tokenizer of a T5 or BERT checkpoint; `window` applies to T5 only.

    `tokenizer` names the tokenizer of a checkpoint that has none.
    """
    about = read_config(directory)
    if about.get("model_type") in KINDS:
        backbone, tokens = load_checkpoint(str(directory), dropout, tokenizer=tokenizer)
        return T5Body(backbone.shape, cls=cls, window=window).copied(backbone), tokens
    if "max_position_embeddings" not in about:
        raise InputError(
            "not a checkpoint of the T5 or BERT family: no max_position_embeddings in its configuration",
            code=ErrorCode.CHECKPOINT_INVALID,
            file=directory,
            remedy="give the directory of a transformers checkpoint",
        )
    tokens = load_tokens(directory, tokenizer)
    return BertBody(pretrained("AutoModel", directory)), tokens
