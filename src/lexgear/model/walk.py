"""One query's walk down a trie: nodes are expanded when the search asks, each with its ancestors' keys and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.docids.trie import Trie
from lexgear.model.generator import Generator, Read
from lexgear.model.t5 import Memory


class ModelWalk:
    """The probabilities a search asks for, computed for many nodes at once and never twice."""

    def __init__(self, generator: Generator, trie: Trie, read: Read, query: int, *, children: bool = True) -> None:
        self.generator, self.trie, self.children = generator, trie, children
        memory = read.memory
        row = torch.tensor([query], device=generator.device)
        self.memory = Memory([(k[row], v[row]) for k, v in memory.layers], memory.bias[row])
        self.summary = read.summary[row]
        self._slots: dict[int, int] = {}
        self._cache: list[tuple[Tensor, Tensor]] = []

    @torch.inference_mode()
    def expand(self, nodes: Sequence[int]) -> list[NDArray[np.float64]]:
        """log P(child | node) for the children of each node, in their order."""
        logits = self.generator.logits(self._states(nodes))
        normal = None if self.children else logits.logsumexp(-1)
        found = []
        for place, node in enumerate(nodes):
            below = self.trie.children(node)
            symbols = torch.from_numpy(self.trie.symbol[below.start : below.stop].astype(np.int64)).to(logits.device)
            scores = logits[place, symbols]
            found.append((scores - (scores.logsumexp(-1) if normal is None else normal[place])).double().cpu().numpy())
        return found

    def _states(self, nodes: Sequence[int]) -> Tensor:
        """Decoder states at nodes whose parents were visited before; their keys and values are kept."""
        lines = [self.trie.ancestry(node) for node in nodes]
        depth = max(map(len, lines))
        # Ancestors from the root down, padded in front so that the newest stands last.
        slots = np.zeros((len(nodes), depth), dtype=np.int64)
        depths = np.full((len(nodes), depth), -1, dtype=np.int64)
        for row, line in enumerate(lines):
            above = [0, *line[:-1]] if line else []
            slots[row, depth - len(above) :] = [self._slots[node] for node in above]
            depths[row, depth - len(above) :] = np.arange(len(above))
        on = self.generator.device
        picked, own = torch.from_numpy(slots).to(on), torch.tensor([len(line) for line in lines], device=on)
        above_states = [(k[picked].transpose(1, 2), v[picked].transpose(1, 2)) for k, v in self._cached()]
        states, made = self.generator.backbone.decoder.step(
            self._embedded(nodes), own, above_states, torch.from_numpy(depths).to(on), self.memory
        )
        for node in nodes:
            self._slots[node] = len(self._slots)
        fresh = [(k[:, :, 0], v[:, :, 0]) for k, v in made]
        self._cache = [
            (torch.cat([old_k, k]), torch.cat([old_v, v]))
            for (old_k, old_v), (k, v) in zip(self._cached(), fresh, strict=True)
        ]
        return states

    def _cached(self) -> list[tuple[Tensor, Tensor]]:
        if not self._cache:
            keys: Any = self.memory.layers[0][0]
            empty = keys.new_zeros(0, keys.shape[1], keys.shape[3])
            self._cache = [(empty, empty) for _ in self.memory.layers]
        return self._cache

    def _embedded(self, nodes: Sequence[int]) -> Tensor:
        symbols = torch.tensor([max(int(self.trie.symbol[node]), 0) for node in nodes], device=self.generator.device)
        at_root = torch.tensor([node == 0 for node in nodes], device=self.generator.device)
        places = torch.where(at_root.unsqueeze(1), self.generator.start, self.generator.law_in(symbols))
        return places + self.summary
