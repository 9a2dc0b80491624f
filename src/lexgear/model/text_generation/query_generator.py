"""Query generator: an encoder-decoder that reads a document and generates queries that it answers.

This is docT5query (Nogueira and Lin, 2019) with any of our backbones; DSI-QG, NCI and Ultron index documents by these
queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from lexgear.model.checkpoints import Backbone
from lexgear.model.device import mixed_precision, to_device, variable_length_attention
from lexgear.model.generator.decoder_memory import KeysValues, Memory
from lexgear.model.t5 import Block, Decoder
from lexgear.model.text_generation.text_head import START, text_states, token_logits
from lexgear.model.tokenizer import Tokens
from lexgear.progress import Progress, silent

Ints = NDArray[Any]
BATCH_SIZE = 64
"""Documents per batch."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling settings of generated queries."""

    count: int = 4
    """Queries per document."""
    length: int = 32
    """Tokens per query at most."""
    top_k: int = 10
    """Number of most probable tokens to sample from; 1 is greedy."""
    seed: int = 0


class ReadText(NamedTuple):
    """Encoded documents."""

    memory: Memory
    """Keys and values for the decoder."""
    summary: Tensor
    """(documents, width): summary of each document."""
    words: Tensor
    """(documents, vocabulary): tokens that occur in each document."""

    def rows(self, owners: Tensor) -> ReadText:
        """Return one row per owner; several queries may belong to one document."""
        return ReadText(self.memory.rows(owners), self.summary[owners], self.words[owners])


class QueryGenerator(nn.Module):
    """P(query | document), token by token.

    Two shortcuts connect a document to its queries; without them a small model learns the language of queries long
    before it uses the document. The mean encoder state is added to the decoder inputs, and tokens of the document get a
    bonus that the decoder's state controls (a simple form of copying; See et al., 2017). Both start at zero unless the
    backbone is fresh, so that a pretrained decoder starts unchanged.
    """

    def __init__(self, backbone: Backbone, *, fresh: bool) -> None:
        super().__init__()
        self.backbone = backbone
        self.summary = nn.Linear(backbone.shape.width, backbone.shape.width, bias=False)
        self.copying = nn.Linear(backbone.shape.width, 1)
        (nn.init.eye_ if fresh else nn.init.zeros_)(self.summary.weight)
        nn.init.zeros_(self.copying.weight)
        nn.init.constant_(self.copying.bias, float(fresh))

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return self.backbone.embed.weight.device

    def read(self, numbers: Ints, mask: NDArray[np.bool_]) -> ReadText:
        """Run the encoder."""
        backbone, seen = self.backbone, to_device(mask, self.device)
        tokens = to_device(numbers.astype(np.int64), self.device)
        states = backbone.encoder(backbone.embed(tokens), seen)
        words = torch.zeros(len(tokens), backbone.shape.vocabulary, dtype=torch.bool, device=self.device)
        words.scatter_(1, tokens, seen.clone())
        weights = seen.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1)
        return ReadText(backbone.decoder.memory(states, seen), self.summary(mean), words)

    def logits(self, states: Tensor, words: Tensor) -> Tensor:
        """Return token scores, given the decoder's states and the tokens of each state's document."""
        copied: Tensor = self.copying(states).float() * words
        return token_logits(self.backbone, states) + copied

    def nll(self, numbers: Ints, mask: NDArray[np.bool_], targets: Ints, wanted: NDArray[np.bool_]) -> Tensor:
        """Return the mean −log P of the query tokens, each given its document."""
        read = self.read(numbers, mask)
        states = text_states(self.backbone, read.memory, targets, read.summary.unsqueeze(1))
        owners, places = (to_device(place, self.device) for place in np.nonzero(wanted))
        right = to_device(targets[wanted].astype(np.int64), self.device)
        return functional.cross_entropy(self.logits(states[owners, places], read.words[owners]), right)

    @torch.inference_mode()
    def write(
        self, tokens: Tokens, texts: Sequence[str], limit: int, sampling: Sampling, progress: Progress = silent
    ) -> list[list[str]]:
        """Generate queries for each text, seeded per batch; texts are truncated to `limit` tokens."""
        written: list[list[str]] = []
        known = _writable(tokens, self.backbone.shape.vocabulary).to(self.device)
        for begin in range(0, len(texts), BATCH_SIZE):
            read = tokens.encode(texts[begin : begin + BATCH_SIZE], limit)
            rng = torch.Generator(self.device).manual_seed(sampling.seed + begin)
            with variable_length_attention(self.device), mixed_precision(self.device):
                rows = self._sample(self.read(*read), known, tokens.end, sampling, rng).cpu().numpy()
            queries = [tokens.decode(row[: _length(row, tokens.end)].tolist()) for row in rows]
            written += [queries[at : at + sampling.count] for at in range(0, len(queries), sampling.count)]
            progress(len(written), len(texts), "writing queries")
        return written

    def _sample(self, read: ReadText, known: Tensor, end: int, sampling: Sampling, rng: torch.Generator) -> Tensor:
        """Sample token ids, one row per query, ordered by document."""
        owners = torch.arange(len(read.words), device=self.device).repeat_interleave(sampling.count)
        read = read.rows(owners)
        decoder = _IncrementalDecoder(self.backbone.decoder, read.memory, sampling.length)
        numbers = torch.full((len(owners), sampling.length), end, device=self.device)
        last, done = torch.full_like(owners, START), torch.zeros_like(owners, dtype=torch.bool)
        for place in range(sampling.length):
            states = decoder.step(self.backbone.embed(last) + read.summary)
            best, choices = self.logits(states, read.words).masked_fill(~known, -torch.inf).topk(sampling.top_k)
            drawn = torch.multinomial(best.softmax(-1), 1, generator=rng)
            last = torch.where(done, end, choices.gather(1, drawn).squeeze(1))
            numbers[:, place] = last
            done |= last == end
            if done.all():
                break
        return numbers


class _IncrementalDecoder:
    """Incremental decoder over parallel texts, with cached keys and values."""

    def __init__(self, decoder: Decoder, memory: Memory, longest: int) -> None:
        self._decoder, self._memory, self._longest = decoder, memory, longest
        self._blocks = [block for block in decoder.blocks if isinstance(block, Block)]
        self._length = 0
        self._kept: list[KeysValues] = []

    def step(self, embedded: Tensor) -> Tensor:
        """Return the states after one more token per text: (texts, width) to (texts, width)."""
        places = torch.arange(self._length + 1, device=embedded.device)
        states = embedded.unsqueeze(1)
        for layer, (block, text) in enumerate(zip(self._blocks, self._memory.layers, strict=True)):
            normed = block.self_norm(states)
            above = self._grown(layer, *block.self_attention.keys_values(normed))
            bias = self._decoder.distances(places[-1:], places).to(above[0].dtype)
            states = states + block.self_attention(normed, above, bias)
            states = states + block.cross_attention(block.cross_norm(states), text, self._memory.bias)
            states = states + block.feed_forward(block.feed_norm(states))
        self._length += 1
        out: Tensor = self._decoder.norm(states).squeeze(1)
        return out

    def _grown(self, layer: int, keys: Tensor, values: Tensor) -> KeysValues:
        if layer == len(self._kept):
            shape = (*keys.shape[:2], self._longest, keys.shape[3])
            self._kept.append((keys.new_empty(shape), values.new_empty(shape)))
        for room, own in zip(self._kept[layer], (keys, values), strict=True):
            room[:, :, self._length : self._length + 1] = own
        all_keys, all_values = self._kept[layer]
        return all_keys[:, :, : self._length + 1], all_values[:, :, : self._length + 1]


def _writable(tokens: Tokens, vocabulary: int) -> Tensor:
    """Return a mask of the tokens that may be generated: text tokens and the end token."""
    numbers = range(vocabulary)
    return torch.tensor([number == tokens.end or bool(tokens.piece(number)) for number in numbers])


def _length(row: Ints, end: int) -> int:
    """Return the number of tokens before the end token."""
    ends = np.flatnonzero(row == end)
    return int(ends[0]) if len(ends) else len(row)
