"""Frozen text encoders stored in the index, for B3 of the paper and for k-means IDs."""

from __future__ import annotations

import copy
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from lexgear.errors import ErrorCode, InputError
from lexgear.files import PartsDirectory, read_json, write_json_list
from lexgear.model.checkpoints import Backbone, load_tokens, pretrained, quiet_transformers, read_config
from lexgear.model.device import best_device
from lexgear.model.encoder.longformer import attention_masks
from lexgear.model.t5 import T5Shape
from lexgear.model.tokenizer import Tokens

WEIGHTS, TOKENS, CONFIG = "prototypes.safetensors", "prototypes-tokenizer.json", "prototypes-config.json"
MAX_LENGTH = 512
"""Tokens per text at most, the limit of the BERT family."""


class FrozenEncoder(ABC):
    """Encoder without training; a text's vector is the normalised mean of its last states."""

    def __init__(self, model: Any, tokens: Tokens, width: int, longest: int = MAX_LENGTH, batch: int = 32) -> None:
        self.model, self.tokens = model.eval().to(best_device()), tokens
        self._width, self._longest, self._batch = width, longest, batch

    @torch.inference_mode()
    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text; longer texts are truncated."""
        vectors = [np.zeros((0, self._width), np.float32)]
        for begin in range(0, len(texts), self._batch):
            read = self.tokens.encode(texts[begin : begin + self._batch], self._longest)
            numbers, mask = (torch.from_numpy(array).to(best_device()) for array in read)
            weights = mask.unsqueeze(-1).float()
            means = (self._states(numbers.long(), mask) * weights).sum(1) / weights.sum(1)
            vectors.append(functional.normalize(means, dim=-1).cpu().numpy())
        return np.concatenate(vectors)

    @abstractmethod
    def _states(self, numbers: Tensor, mask: Tensor) -> Tensor:
        """Return token states, (texts, tokens, width)."""

    @abstractmethod
    def save(self, directory: PartsDirectory) -> None:
        """Write the encoder as parts of an index."""


class BertEncoder(FrozenEncoder):
    """Any model of the BERT family."""

    def __init__(self, model: Any, tokens: Tokens, batch: int = 32) -> None:
        config = model.config
        super().__init__(model, tokens, config.hidden_size, min(MAX_LENGTH, config.max_position_embeddings), batch)

    @classmethod
    def of_checkpoint(cls, directory: Path, batch: int = 32) -> BertEncoder:
        """Load a checkpoint directory."""
        if "max_position_embeddings" not in read_config(directory):
            raise InputError(
                "not a checkpoint of the BERT family",
                code=ErrorCode.CHECKPOINT_INVALID,
                file=directory,
                remedy="give one with max_position_embeddings in its configuration",
            )
        tokens = load_tokens(directory)
        model = pretrained("AutoModel", directory)
        return cls(model, tokens, batch)

    def save(self, directory: PartsDirectory) -> None:
        """Write weights, tokenizer and configuration."""
        save_file({name: value.contiguous() for name, value in self.model.state_dict().items()}, directory / WEIGHTS)
        self.tokens.save(directory / TOKENS)
        write_json_list(directory / CONFIG, [json.loads(self.model.config.to_json_string(use_diff=False))])

    @classmethod
    def load(cls, directory: PartsDirectory) -> BertEncoder:
        """Read what `save` wrote."""
        [row] = read_json(directory / CONFIG)
        with quiet_transformers() as transformers:
            model = transformers.AutoModel.from_config(transformers.AutoConfig.for_model(**row))
        model.load_state_dict(load_file(directory / WEIGHTS))
        return cls(model, Tokens.load(directory / TOKENS))

    def _states(self, numbers: Tensor, mask: Tensor) -> Tensor:
        masks = attention_masks(self.model.config.model_type, mask)
        states: Tensor = self.model(input_ids=numbers, **masks).last_hidden_state
        return states


class BackboneEncoder(FrozenEncoder):
    """Encoder of a generator before training."""

    @classmethod
    def of(cls, backbone: Backbone, tokens: Tokens) -> BackboneEncoder:
        """Copy a backbone's encoder, so that training does not change it."""
        shape = backbone.shape
        return cls(copy.deepcopy(_encoding_part(backbone)), tokens, shape.width, min(MAX_LENGTH, shape.max_length))

    def save(self, directory: PartsDirectory) -> None:
        """Write the weights; tokenizer and shape are stored with the generator."""
        save_file(self.model.state_dict(), directory / WEIGHTS)

    @classmethod
    def load(cls, directory: PartsDirectory, shape: T5Shape, tokens: Tokens) -> BackboneEncoder:
        """Read what `save` wrote."""
        with torch.device("meta"):
            model = _encoding_part(Backbone(shape))
        model.load_state_dict(load_file(directory / WEIGHTS), assign=True)
        return cls(model, tokens, shape.width, min(MAX_LENGTH, shape.max_length))

    def _states(self, numbers: Tensor, mask: Tensor) -> Tensor:
        states: Tensor = self.model["encoder"](self.model["embed"](numbers), mask)
        return states


def _encoding_part(backbone: Backbone) -> nn.ModuleDict:
    return nn.ModuleDict({"embed": backbone.embed, "encoder": backbone.encoder})
