"""CUDA graphs of the generator: one captured graph per text length, replayed for every query.

A text passes about 300 small kernels; launching each of them takes longer than running it. A captured graph launches
all of them at once. Texts are padded to the next multiple of `LENGTH_STEP` tokens, so that few graphs are captured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.docids.trie import Trie
from lexgear.model.device import variable_length_attention
from lexgear.model.generator.generator import Generator
from lexgear.model.generator.whole_tree import whole_log_p

LENGTH_STEP = 128
MAX_NODES = 4096
"""Law nodes at most: the attention mask grows with their square."""
WARMUP_RUNS = 3
"""Runs before the capture, in which kernels are selected."""
ScoresAndVectors = tuple[NDArray[np.float64], NDArray[np.float32]]


class GraphedGenerator:
    """Generator that replays CUDA graphs to score all nodes of a trie and to embed texts; on a CPU it runs eagerly."""

    def __init__(self, generator: Generator, trie: Trie) -> None:
        self.generator, self.trie = generator, trie
        self._graphs: dict[tuple[int, int], _CapturedGraph] = {}

    def scores_and_vectors(self, numbers: NDArray[Any], mask: NDArray[np.bool_]) -> ScoresAndVectors:
        """Return log P of all nodes, (texts, nodes), and text vectors, (texts, width)."""
        numbers, mask = _padded(numbers), _padded(mask)
        if numbers.shape not in self._graphs:
            self._graphs[numbers.shape] = _CapturedGraph(self, numbers.shape)
        log_p, vectors = self._graphs[numbers.shape].replay(numbers, mask)
        return log_p.cpu().numpy(), vectors.float().cpu().numpy()

    @property
    def captured_shapes(self) -> list[tuple[int, int]]:
        """Shapes captured so far, (texts, tokens)."""
        return list(self._graphs)

    @torch.inference_mode()
    def compute(self, tokens: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Compute the same on the device."""
        read = self.generator.read_tensors(tokens, seen)
        return whole_log_p(self.generator, self.trie, read), self.generator.vectors(read)


class PrecomputedWalk:
    """Walk down a trie with precomputed log P of all nodes."""

    def __init__(self, trie: Trie, log_p: NDArray[np.float64]) -> None:
        self.trie, self.log_p = trie, log_p

    def expand(self, nodes: Sequence[int]) -> list[NDArray[np.float64]]:
        """Return log P(child | node) for the children of each node, in order."""
        below = map(self.trie.children, nodes)
        return [self.log_p[some.start : some.stop] - self.log_p[node] for some, node in zip(below, nodes, strict=True)]


class _CapturedGraph:
    """Captured graph of one input shape with its input and output tensors."""

    def __init__(self, owner: GraphedGenerator, shape: Sequence[int]) -> None:
        self._owner, device = owner, owner.generator.device
        self._tokens = torch.zeros(*shape, dtype=torch.int64, device=device)
        self._seen = torch.ones(*shape, dtype=torch.bool, device=device)
        self._graph: torch.cuda.CUDAGraph | None = None
        if device.type == "cuda":
            self._capture()

    def _capture(self) -> None:
        aside = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        aside.wait_stream(torch.cuda.current_stream())
        with variable_length_attention(self._tokens.device), torch.cuda.stream(aside):
            for _ in range(WARMUP_RUNS):
                self._owner.compute(self._tokens, self._seen)
        torch.cuda.current_stream().wait_stream(aside)
        self._graph = torch.cuda.CUDAGraph()
        with variable_length_attention(self._tokens.device), torch.cuda.graph(self._graph):
            self._answer = self._owner.compute(self._tokens, self._seen)

    def replay(self, numbers: NDArray[Any], mask: NDArray[np.bool_]) -> tuple[Tensor, Tensor]:
        self._tokens.copy_(torch.from_numpy(numbers.astype(np.int64)))
        self._seen.copy_(torch.from_numpy(mask))
        if self._graph is None:
            return self._owner.compute(self._tokens, self._seen)
        self._graph.replay()
        return self._answer


def _padded(array: NDArray[Any]) -> NDArray[Any]:
    return np.pad(array, ((0, 0), (0, -array.shape[1] % LENGTH_STEP)))
