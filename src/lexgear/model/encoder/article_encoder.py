"""Hierarchical encoder of long texts (Louis et al., EACL 2023): chunks are encoded, then a transformer reads them.

Every chunk has the special tokens of a text of its own. The vectors of the chunks, with their positions, pass through a
small transformer, and the largest value of each dimension is kept. The transformer adds to the vectors of the chunks
and starts with nothing to add, so that training starts from what the text encoder knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from lexgear.files import PartsDirectory, read_json
from lexgear.model.bert import BertLayer, BertShape
from lexgear.model.encoder.bodies import Body
from lexgear.model.encoder.text_encoder import ABOUT, TextEncoder
from lexgear.model.t5 import NO_LIMIT

LAYERS, HEAD_WIDTH, DROPOUT = 2, 64, 0.1
"""Transformer over the chunks, as published: two layers with heads of width 64."""


class Chunks(NamedTuple):
    """Chunks of several texts, each with its special tokens."""

    tokens: Tensor
    """(chunks, tokens)."""
    seen: Tensor
    present: Tensor
    """(texts, chunks of the longest text): which of them exist; their order is that of `tokens`."""


class ArticleEncoder(TextEncoder):
    """Text encoder that reads a text chunk by chunk."""

    def __init__(
        self,
        body: Body,
        pooling: str,
        *,
        chunk_length: int,
        max_chunks: int,
        frame: Sequence[int],
        projected: bool = False,
    ) -> None:
        super().__init__(body, pooling, projected=projected)
        self.chunk_length, self.max_chunks, self.frame = chunk_length, max_chunks, tuple(frame)
        heads = max(body.width // HEAD_WIDTH, 1)
        shape = BertShape(layers=LAYERS, heads=heads, inner=4 * body.width, positions=max_chunks)
        self.places = nn.Embedding(max_chunks, body.width)
        self.layers = nn.ModuleList(BertLayer(body.width, shape, DROPOUT) for _ in range(LAYERS))
        self.outward = nn.Linear(body.width, body.width, bias=False)
        nn.init.zeros_(self.outward.weight)

    @classmethod
    def around(
        cls, encoder: TextEncoder, *, chunk_length: int, max_length: int, frame: tuple[int, int]
    ) -> ArticleEncoder:
        """Return an encoder of texts of up to `max_length` tokens with the weights of a text encoder."""
        chunk = max(min(chunk_length, encoder.body.longest), sum(frame) + 1)
        made = cls(
            encoder.body,
            encoder.pooling,
            chunk_length=chunk,
            max_chunks=-(-max_length // (chunk - sum(frame))),
            frame=frame,
            projected=encoder.projection is not None,
        )
        made.projection = encoder.projection
        return made

    @property
    def longest(self) -> int:
        """Tokens that the encoder reads at most: as many as there are."""
        return NO_LIMIT

    def forward(self, tokens: Tensor, seen: Tensor) -> Tensor:
        """Return unit vectors, (texts, width)."""
        chunks = self.cut(tokens, seen)
        read = self.whole(self.body.states(chunks.tokens, chunks.seen), chunks.seen)
        own = read.new_zeros(*chunks.present.shape, read.shape[-1])
        own[chunks.present] = read
        states = own + self.places.weight[: own.shape[1]]
        for layer in self.layers:
            states = layer(states, chunks.present[:, None, None, :])
        together = (own + self.outward(states)).masked_fill(~chunks.present.unsqueeze(-1), -torch.inf)
        return self.as_vectors(together.amax(1))

    def cut(self, tokens: Tensor, seen: Tensor) -> Chunks:
        """Cut texts into chunks of about `chunk_length` tokens."""
        before, after = self.frame
        inside, lengths = self.chunk_length - before - after, seen.sum(1).clamp(min=1)
        inner = (lengths - before - after).clamp(min=0)
        counts = ((inner + inside - 1) // inside).clamp(min=1, max=self.max_chunks)
        number = torch.arange(int(counts.max()), device=tokens.device)
        held = (inner[:, None] - number * inside).clamp(min=0, max=inside)[:, :, None]  # tokens without special ones
        place = torch.arange(self.chunk_length, device=tokens.device)
        ending = lengths[:, None, None] - after + place - before - held
        source = torch.where(place < before, place, place + number[:, None] * inside)
        source = torch.where(place < before + held, source, ending).clamp(min=0, max=tokens.shape[1] - 1)
        present = number < counts[:, None]
        shown = (place < before + held + after)[present]
        width = int(shown.sum(1).max())
        rows = tokens.gather(1, source.flatten(1)).view(source.shape)[present]
        return Chunks(rows[:, :width], shown[:, :width], present)

    @classmethod
    def load(cls, directory: PartsDirectory) -> TextEncoder:
        """Read what `save` wrote; an index of an earlier version has an encoder that reads texts in one pass."""
        [head, _] = read_json(directory / ABOUT)
        return super().load(directory) if "chunk_length" in head else TextEncoder.load(directory)

    def head(self) -> dict[str, Any]:
        """Return the arguments besides the body."""
        return super().head() | {
            "chunk_length": self.chunk_length,
            "max_chunks": self.max_chunks,
            "frame": list(self.frame),
        }
