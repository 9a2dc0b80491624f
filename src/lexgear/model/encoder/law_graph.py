"""A graph network over the law (Louis et al., EACL 2023): what stands around an article tells what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Edges:
    """Which nodes stand beside which, both ways, and how much passes along: 1 / √(neighbours of both), as in a GCN."""

    sources: Tensor
    targets: Tensor
    weights: Tensor

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, int]], nodes: int, device: torch.device) -> Edges:
        """From pairs of nodes; a pair counts once, whichever way round."""
        unique = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
        one_way = np.array(unique, dtype=np.int64).reshape(-1, 2)
        ends = torch.from_numpy(np.concatenate([one_way, one_way[:, ::-1]])).to(device)
        sources, targets = ends.unbind(1)
        count = torch.bincount(targets, minlength=nodes).float()
        return cls(sources, targets, (count[sources] * count[targets]).rsqrt())

    def __len__(self) -> int:
        return len(self.sources)

    def passed(self, states: Tensor) -> Tensor:
        """What reaches each node from its neighbours; zero where it has none."""
        along = states[self.sources] * self.weights.unsqueeze(1)
        return torch.zeros_like(states).index_add(0, self.targets, along)


class GraphLayer(nn.Module):
    """A graph convolution (Kipf & Welling, ICLR 2017) that adds to what a node was; a node without edges stays."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.inward, self.outward = (nn.Linear(width, width, bias=False) for _ in range(2))
        nn.init.zeros_(self.outward.weight)  # training starts at the vectors of the texts

    def forward(self, states: Tensor, edges: Edges) -> Tensor:
        """(nodes, width) to as many."""
        added: Tensor = self.outward(functional.relu(self.inward(edges.passed(states))))
        return states + added


class LawNetwork(nn.Module):
    """Vectors of the law's nodes, by their texts and by those around them."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(GraphLayer(width) for _ in range(layers))

    def forward(self, features: Tensor, edges: Edges) -> Tensor:
        """(nodes, width) to as many of unit length, in full precision: sums over edges are long, and cheap."""
        with torch.autocast(features.device.type, enabled=False):
            states = features.float()
            for layer in self.layers:
                states = layer(states, edges)
            return functional.normalize(states, dim=-1)
