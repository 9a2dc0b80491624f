"""A model that reads a document and writes queries it would answer: an encoder-decoder whose head are its embeddings.

What docT5query does (Nogueira and Lin, 2019), with any of our backbones; DSI-QG, NCI and Ultron index with it.
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
DOCUMENTS = 64
"""Read at once."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How queries are drawn."""

    count: int = 4
    """Queries for each document."""
    length: int = 32
    """Tokens of a query, at most."""
    top_k: int = 10
    """The most probable tokens that the next one is drawn from; 1 always takes the first."""
    seed: int = 0


class ReadText(NamedTuple):
    """Documents that were read."""

    memory: Memory
    """As the decoder sees them."""
    summary: Tensor
    """(documents, width): what each is about."""
    words: Tensor
    """(documents, vocabulary): which tokens stand in each."""

    def rows(self, owners: Tensor) -> ReadText:
        """One for each owner: several queries may belong to one document."""
        return ReadText(self.memory.rows(owners), self.summary[owners], self.words[owners])


class QueryGenerator(nn.Module):
    """P(query | document), token by token.

    Two short ways lead from a document to what is written of it, without which a small model has learnt to write long
    before it learns to read: the mean of its states is added to what the decoder is fed, and what stands in it is
    likelier by as much as the decoder's state asks for (a simple form of copying; See et al., 2017). Both are closed at
    first where the backbone is not fresh, so that a decoder that has learnt to write begins as it was.
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
        """Where the weights are."""
        return self.backbone.embed.weight.device

    def read(self, numbers: Ints, mask: NDArray[np.bool_]) -> ReadText:
        """Runs the encoder."""
        backbone, seen = self.backbone, to_device(mask, self.device)
        tokens = to_device(numbers.astype(np.int64), self.device)
        states = backbone.encoder(backbone.embed(tokens), seen)
        words = torch.zeros(len(tokens), backbone.shape.vocabulary, dtype=torch.bool, device=self.device)
        words.scatter_(1, tokens, seen.clone())
        weights = seen.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1)
        return ReadText(backbone.decoder.memory(states, seen), self.summary(mean), words)

    def logits(self, states: Tensor, words: Tensor) -> Tensor:
        """A score for every token, given the decoder's states and the tokens of each one's document."""
        copied: Tensor = self.copying(states).float() * words
        return token_logits(self.backbone, states) + copied

    def nll(self, numbers: Ints, mask: NDArray[np.bool_], targets: Ints, wanted: NDArray[np.bool_]) -> Tensor:
        """−log P of a token of the queries, each for its document."""
        read = self.read(numbers, mask)
        states = text_states(self.backbone, read.memory, targets, read.summary.unsqueeze(1))
        owners, places = (to_device(place, self.device) for place in np.nonzero(wanted))
        right = to_device(targets[wanted].astype(np.int64), self.device)
        return functional.cross_entropy(self.logits(states[owners, places], read.words[owners]), right)

    @torch.inference_mode()
    def write(
        self, tokens: Tokens, texts: Sequence[str], limit: int, sampling: Sampling, progress: Progress = silent
    ) -> list[list[str]]:
        """Queries for each text, drawn by a seed of its batch; texts longer than `limit` tokens are cut."""
        written: list[list[str]] = []
        known = _writable(tokens, self.backbone.shape.vocabulary).to(self.device)
        for begin in range(0, len(texts), DOCUMENTS):
            read = tokens.encode(texts[begin : begin + DOCUMENTS], limit)
            rng = torch.Generator(self.device).manual_seed(sampling.seed + begin)
            with variable_length_attention(self.device), mixed_precision(self.device):
                rows = self._drawn(self.read(*read), known, tokens.end, sampling, rng).cpu().numpy()
            queries = [tokens.decode(row[: _length(row, tokens.end)].tolist()) for row in rows]
            written += [queries[at : at + sampling.count] for at in range(0, len(queries), sampling.count)]
            progress(len(written), len(texts), "writing queries")
        return written

    def _drawn(self, read: ReadText, known: Tensor, end: int, sampling: Sampling, rng: torch.Generator) -> Tensor:
        """Token numbers, a row a query, those of the first document first."""
        owners = torch.arange(len(read.words), device=self.device).repeat_interleave(sampling.count)
        read = read.rows(owners)
        line = _Line(self.backbone.decoder, read.memory, sampling.length)
        numbers = torch.full((len(owners), sampling.length), end, device=self.device)
        last, done = torch.full_like(owners, START), torch.zeros_like(owners, dtype=torch.bool)
        for place in range(sampling.length):
            states = line.step(self.backbone.embed(last) + read.summary)
            best, choices = self.logits(states, read.words).masked_fill(~known, -torch.inf).topk(sampling.top_k)
            drawn = torch.multinomial(best.softmax(-1), 1, generator=rng)
            last = torch.where(done, end, choices.gather(1, drawn).squeeze(1))
            numbers[:, place] = last
            done |= last == end
            if done.all():
                break
        return numbers


class _Line:
    """Texts that grow side by side, a token at a time: keys and values of what stands there are kept."""

    def __init__(self, decoder: Decoder, memory: Memory, longest: int) -> None:
        self._decoder, self._memory, self._longest = decoder, memory, longest
        self._blocks = [block for block in decoder.blocks if isinstance(block, Block)]
        self._length = 0
        self._kept: list[KeysValues] = []

    def step(self, embedded: Tensor) -> Tensor:
        """The states after one more token of each text: (texts, width) to (texts, width)."""
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
        known, said = self._kept[layer]
        return known[:, :, : self._length + 1], said[:, :, : self._length + 1]


def _writable(tokens: Tokens, vocabulary: int) -> Tensor:
    """Which numbers may be written: those that stand for text, and the end."""
    numbers = range(vocabulary)
    return torch.tensor([number == tokens.end or bool(tokens.piece(number)) for number in numbers])


def _length(row: Ints, end: int) -> int:
    """Tokens before the end."""
    ends = np.flatnonzero(row == end)
    return int(ends[0]) if len(ends) else len(row)
