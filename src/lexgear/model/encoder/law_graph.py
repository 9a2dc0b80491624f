"""Graph attention network over the law (Louis et al., EACL 2023): neighbours contribute to the vector of an article."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Edges:
    """Directed edges, both ways between neighbours, and from every node that has a neighbour to itself."""

    sources: Tensor
    targets: Tensor

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, int]], device: torch.device) -> Edges:
        """Build from pairs of nodes; duplicates and reversed pairs count once."""
        unique = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
        one_way = np.array(unique, dtype=np.int64).reshape(-1, 2)
        loops = np.unique(one_way)[:, None].repeat(2, axis=1)
        ends = torch.from_numpy(np.concatenate([one_way, one_way[:, ::-1], loops])).to(device)
        return cls(*ends.unbind(1))

    def __len__(self) -> int:
        return len(self.sources)

    def attended(self, scores: Tensor, values: Tensor) -> Tensor:
        """Return for each node the sum of its sources' values, weighted by the softmax of the edges' scores.

        A node without edges gets zero.
        """
        strength = (scores - scores.max()).exp()
        total = strength.new_zeros(len(values)).index_add(0, self.targets, strength)
        weights = strength / total[self.targets].clamp(min=torch.finfo(strength.dtype).tiny)
        along = values[self.sources] * weights.unsqueeze(1)
        return torch.zeros_like(values).index_add(0, self.targets, along)


class GraphLayer(nn.Module):
    """Residual layer of a graph attention network (GATv2; Brody et al., ICLR 2022); nodes without edges stay."""

    SLOPE = 0.2
    """Slope of the leaky ReLU for negative values."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.source, self.target = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.attention = nn.Parameter(torch.empty(width))
        self.outward = nn.Linear(width, width, bias=False)
        nn.init.normal_(self.attention, std=width**-0.5)
        nn.init.zeros_(self.outward.weight)  # training starts from the text vectors

    def forward(self, states: Tensor, edges: Edges) -> Tensor:
        """Map (nodes, width) to (nodes, width)."""
        sent = self.source(states)
        pairs = functional.leaky_relu(sent[edges.sources] + self.target(states)[edges.targets], self.SLOPE)
        added: Tensor = self.outward(functional.relu(edges.attended(pairs @ self.attention, sent)))
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
            for layer in self.layers if len(edges) else ():
                states = layer(states, edges)
            return functional.normalize(states, dim=-1)
