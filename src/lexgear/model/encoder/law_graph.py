"""Graph network over the law (Louis et al., EACL 2023): neighbours contribute to the vector of an article."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Edges:
    """Undirected edges with the weights of a GCN, 1 / √(degrees of both nodes)."""

    sources: Tensor
    targets: Tensor
    weights: Tensor

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, int]], nodes: int, device: torch.device) -> Edges:
        """Build from pairs of nodes; duplicates and reversed pairs count once."""
        unique = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
        one_way = np.array(unique, dtype=np.int64).reshape(-1, 2)
        ends = torch.from_numpy(np.concatenate([one_way, one_way[:, ::-1]])).to(device)
        sources, targets = ends.unbind(1)
        count = torch.bincount(targets, minlength=nodes).float()
        return cls(sources, targets, (count[sources] * count[targets]).rsqrt())

    def __len__(self) -> int:
        return len(self.sources)

    def passed(self, states: Tensor) -> Tensor:
        """Return the weighted sum of each node's neighbours; zero without neighbours."""
        along = states[self.sources] * self.weights.unsqueeze(1)
        return torch.zeros_like(states).index_add(0, self.targets, along)


class GraphLayer(nn.Module):
    """Residual graph convolution (Kipf & Welling, ICLR 2017); nodes without edges stay unchanged."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.inward, self.outward = (nn.Linear(width, width, bias=False) for _ in range(2))
        nn.init.zeros_(self.outward.weight)  # training starts from the text vectors

    def forward(self, states: Tensor, edges: Edges) -> Tensor:
        """Map (nodes, width) to (nodes, width)."""
        added: Tensor = self.outward(functional.relu(self.inward(edges.passed(states))))
        return states + added


class LawNetwork(nn.Module):
    """Vectors of law nodes from their texts and neighbours."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(GraphLayer(width) for _ in range(layers))

    def forward(self, features: Tensor, edges: Edges) -> Tensor:
        """Return unit vectors, (nodes, width), in full precision: sums over edges are long and cheap."""
        with torch.autocast(features.device.type, enabled=False):
            states = features.float()
            for layer in self.layers:
                states = layer(states, edges)
            return functional.normalize(states, dim=-1)
