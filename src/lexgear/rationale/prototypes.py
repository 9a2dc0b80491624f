"""B3 of the paper: the embedded definitions of the charges, and how near a sentence comes to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lexgear.errors import InputError
from lexgear.rationale.lexicon import Lexicon


class Encoder(Protocol):
    """Anything that embeds texts; frozen, so that the same text always gets the same vector."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text."""
        ...


@dataclass(frozen=True, slots=True)
class Prototypes:
    """One unit vector a charge, and the encoder that made them."""

    encoder: Encoder
    vectors: NDArray[np.float32]
    """One row a charge, in the order of the lexicon."""
    rows: Mapping[str, int]
    """charge → its row."""

    @classmethod
    def of(cls, lexicon: Lexicon, encoder: Encoder) -> Prototypes:
        """Embeds the definition of every charge; where there is none, its name."""
        vectors = encoder.encode([row.definition or row.charge for row in lexicon.rows])
        return cls(encoder, vectors, {charge: row for row, charge in enumerate(lexicon.charges)})

    def cosines(self, sentences: Sequence[str], charges: Sequence[str]) -> NDArray[np.float64]:
        """The cosine of each sentence (row) with the definition of each charge (column)."""
        if not sentences:
            return np.zeros((0, len(charges)))
        prototypes = self.vectors[[self.rows[charge] for charge in charges]]
        return (self.encoder.encode(sentences) @ prototypes.T).astype(np.float64)


class BertEncoder:
    """Any checkpoint of the BERT family in a local directory: the mean of its last states, of unit length."""

    def __init__(self, directory: Path, batch_size: int = 32) -> None:
        from transformers import AutoModel, AutoTokenizer

        if not (directory / "config.json").is_file():
            raise InputError("no config.json in it", file=directory, remedy="name a checkpoint directory")
        self._tokenizer = AutoTokenizer.from_pretrained(directory, local_files_only=True)
        self._model = AutoModel.from_pretrained(directory, local_files_only=True, use_safetensors=True).eval()
        self._batch_size = batch_size

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text; what the checkpoint cannot take in is cut off."""
        import torch

        longest = int(self._model.config.max_position_embeddings)
        vectors = [np.zeros((0, self._model.config.hidden_size), np.float32)]
        for begin in range(0, len(texts), self._batch_size):
            some = list(texts[begin : begin + self._batch_size])
            batch = self._tokenizer(some, padding=True, truncation=True, max_length=longest, return_tensors="pt")
            with torch.inference_mode():
                states = self._model(**batch).last_hidden_state
            mask = batch["attention_mask"].unsqueeze(-1).to(states.dtype)
            means = (states * mask).sum(dim=1) / mask.sum(dim=1)
            vectors.append(torch.nn.functional.normalize(means, dim=-1).numpy())
        return np.concatenate(vectors)
