"""Generator: an encoder reads the text, a decoder scores the children of tree nodes.

Law nodes are decoder inputs and outputs with their own symbols, separate from text tokens. Documents are outputs only.
The children of a node are either all law nodes or all documents, so that they never share a softmax.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from lexgear.docids.trie import Trie
from lexgear.model.checkpoints import Backbone
from lexgear.model.device import to_device
from lexgear.model.encoder.quantized import first_states, inference_states
from lexgear.model.generator.decoder_memory import Memory

Ints = NDArray[Any]


@dataclass(frozen=True)
class EncodedTexts:
    """Encoded batch of texts."""

    states: Tensor
    mask: Tensor
    memory: Memory
    summary: Tensor
    """(texts, width): summary added to every decoder input; zero in the paper's model."""

    def row(self, text: int) -> EncodedTexts:
        """Return a view of one text."""
        return self.part(slice(text, text + 1))

    def part(self, texts: slice) -> EncodedTexts:
        """Return a view of some texts."""
        return EncodedTexts(self.states[texts], self.mask[texts], self.memory.part(texts), self.summary[texts])


class Generator(nn.Module):
    """P(child | node, text) for every node of a trie, and one vector per text."""

    def __init__(self, backbone: Backbone, law_symbols: int, documents: int = 0, *, summary: bool = False) -> None:
        super().__init__()
        width = backbone.shape.width
        self.backbone = backbone
        self.start = nn.Parameter(torch.randn(width))
        self.law_in = nn.Embedding(law_symbols, width)
        self.law_out = nn.Embedding(law_symbols, width)
        self.documents = nn.Embedding(documents, width)
        self.content = nn.Linear(width, width, bias=False)
        # The mean of the text's states, added to every decoder input, is a shortcut from words to charges. Without it a
        # small model memorises the cases before it learns the meaning of their words.
        self.summary = nn.Linear(width, width, bias=False) if summary else None
        for table in (self.law_out, self.documents):
            nn.init.normal_(table.weight, std=width**-0.5)
        if backbone.shape.reader:
            nn.init.eye_(self.content.weight)  # an untrained generator keeps the vectors of a pretrained encoder

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return self.start.device

    def read(self, numbers: Ints, mask: NDArray[np.bool_]) -> EncodedTexts:
        """Run the encoder, once for any number of paths."""
        return self.read_tensors(to_device(numbers.astype(np.int64), self.device), to_device(mask, self.device))

    def read_tensors(self, tokens: Tensor, seen: Tensor) -> EncodedTexts:
        """Encode texts whose tensors are on the device already."""
        return self._encoded(self.backbone.encoder(self.backbone.embed(tokens), seen), seen)

    def _encoded(self, states: Tensor, seen: Tensor) -> EncodedTexts:
        mean = _mean(states, seen)
        summary = torch.zeros_like(mean) if self.summary is None else self.summary(mean)
        return EncodedTexts(states, seen, self.backbone.decoder.memory(states, seen), summary)

    @torch.inference_mode()
    def read_only(self, numbers: Ints, mask: NDArray[np.bool_]) -> EncodedTexts:
        """Encode texts without gradients; on a CPU in 8 bits if that is fast there."""
        seen, embedded = self._embedded(numbers, mask)
        return self._encoded(inference_states(self.backbone.encoder, embedded, seen), seen)

    @torch.inference_mode()
    def text_vectors(self, numbers: Ints, mask: NDArray[np.bool_]) -> Tensor:
        """Return the vectors of `read_only` texts, without the states that they do not need."""
        seen, embedded = self._embedded(numbers, mask)
        if self._pools_first:
            return self._projected(first_states(self.backbone.encoder, embedded, seen))
        return self._pooled(inference_states(self.backbone.encoder, embedded, seen), seen)

    def _embedded(self, numbers: Ints, mask: NDArray[np.bool_]) -> tuple[Tensor, Tensor]:
        return to_device(mask, self.device), self.backbone.embed(self._on_device(numbers))

    def vectors(self, read: EncodedTexts) -> Tensor:
        """Return one unit vector per text: the projected mean of its states, or the projected first state."""
        return self._pooled(read.states, read.mask)

    def _pooled(self, states: Tensor, mask: Tensor) -> Tensor:
        # A view of states from inference mode could not be used outside of it: copy.
        return self._projected(states[:, 0].clone() if self._pools_first else _mean(states, mask))

    @property
    def _pools_first(self) -> bool:
        reader = self.backbone.shape.reader
        return reader is not None and reader.pooling == "cls"

    def _projected(self, pooled: Tensor) -> Tensor:
        return functional.normalize(self.content(pooled), dim=-1)

    def step_log_probs(
        self, read: EncodedTexts, owners: Ints, paths: Ints, trie: Trie, *, children: bool = True
    ) -> Tensor:
        """Return log P of every step of paths of trie nodes, (paths, steps); 0 after a path's end (−1).

        `owners` gives the text of each path. With `children` the softmax runs over the node's children, otherwise over
        all symbols as in the paper.
        """
        states = self.walk_states(read, self._on_device(owners), paths, trie)
        parents = np.concatenate([np.zeros((len(paths), 1), dtype=paths.dtype), paths[:, :-1]], axis=1)
        taken = paths >= 0
        rows, columns = (self._on_device(place) for place in np.nonzero(taken))
        logits = self.logits(states[rows, columns])
        if children:
            logits = self._children_only(logits, parents[taken], trie)
        targets = self._on_device(trie.symbol[paths[taken]])
        picked = functional.log_softmax(logits, dim=-1).gather(1, targets.unsqueeze(1)).squeeze(1)
        return torch.zeros(paths.shape, device=self.device).index_put((rows, columns), picked)

    def child_log_probs(
        self, states: Tensor, nodes: Ints, trie: Trie, *, children: bool = True
    ) -> list[NDArray[np.float64]]:
        """Return log P of the children of each node, in order, given the decoder's state at each node."""
        symbols = [trie.symbol[below.start : below.stop] for below in map(trie.children, nodes.tolist())]
        # Only the outputs of the children: scoring all 9,088 documents of LeCaRD for a dozen charges takes three times
        # as long.
        scores = [self._outputs(some) @ state for some, state in zip(symbols, states.float(), strict=True)]
        found = np.split(torch.cat(scores).double().cpu().numpy(), np.cumsum([len(some) for some in symbols])[:-1])
        if children:
            return [logits - np.logaddexp.reduce(logits) for logits in found]
        normal = self.logits(states).logsumexp(-1).double().cpu().numpy()
        return [logits - whole for logits, whole in zip(found, normal, strict=True)]

    def node_states(self, states: Tensor, nodes: Ints, read: Sequence[EncodedTexts], trie: Trie) -> Tensor:
        """Return the states that `child_log_probs` takes, given the decoder's state and the text of each node."""
        return states

    def node_inputs(self, nodes: Ints, trie: Trie) -> Tensor:
        """Return the decoder inputs of law nodes, (nodes, width)."""
        embedded: Tensor = self.law_in(self._on_device(np.maximum(trie.symbol[nodes], 0)))
        return torch.where(self._on_device(nodes).eq(0).unsqueeze(1), self.start, embedded)

    def logits(self, states: Tensor) -> Tensor:
        """Return scores of all symbols, law nodes first, then documents."""
        tables = [self.law_out.weight, self.documents.weight]
        return torch.cat([states.float() @ table.float().T for table in tables], dim=-1)

    def walk_states(self, read: EncodedTexts, owners: Tensor, paths: Ints, trie: Trie) -> Tensor:
        """Return decoder states at the root and all nodes of each path but the last, where each step is decided."""
        symbols = trie.symbol[np.maximum(paths[:, :-1], 0)]
        inside = np.where((symbols >= 0) & (symbols < self.law_in.num_embeddings), symbols, 0)
        start = self.start.expand(len(paths), 1, -1)
        embedded = torch.cat([start, self.law_in(self._on_device(inside))], dim=1) + read.summary[owners].unsqueeze(1)
        length = paths.shape[1]
        sees = torch.ones(length, length, dtype=torch.bool, device=self.device).tril()
        depths = torch.arange(length, device=self.device)
        states: Tensor = self.backbone.decoder(embedded, depths, sees, read.memory.rows(owners))
        return states

    def _outputs(self, siblings: Ints) -> Tensor:
        """Return the output vectors of symbols that are all law nodes or all documents."""
        law = self.law_out.num_embeddings
        is_law = len(siblings) and siblings[0] < law
        rows: Tensor = (
            self.law_out(self._on_device(siblings)) if is_law else self.documents(self._on_device(siblings - law))
        )
        return rows.float()

    def _children_only(self, logits: Tensor, parents: Ints, trie: Trie) -> Tensor:
        """Set the logits to minus infinity except at the children of each row's parent."""
        counts = trie.child_count[parents]
        rows = np.repeat(np.arange(len(parents)), counts)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        columns = trie.symbol[np.repeat(trie.first_child[parents], counts) + within]
        allowed = torch.zeros(logits.shape, dtype=torch.bool, device=self.device)
        allowed[self._on_device(rows), self._on_device(columns)] = True
        return logits.masked_fill(~allowed, -torch.inf)

    def _on_device(self, numbers: Ints) -> Tensor:
        return to_device(numbers.astype(np.int64), self.device)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1)
