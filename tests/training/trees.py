"""Random tree with a softmax at every node, and its expected reward enumerated without torch."""

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Tree:
    parents: tuple[int, ...]
    """Parent of each node; −1 is the root, which is not a node."""
    leaves: tuple[int, ...]

    def path(self, node: int) -> list[int]:
        steps = [node]
        while self.parents[steps[-1]] >= 0:
            steps.append(self.parents[steps[-1]])
        return steps[::-1]

    def children(self, parent: int) -> list[int]:
        return [node for node, above in enumerate(self.parents) if above == parent]

    def step_probabilities(self, logits: Floats) -> Floats:
        """Return P(node | parent)."""
        weights = np.exp(logits)
        return np.array(
            [weights[node] / weights[self.children(above)].sum() for node, above in enumerate(self.parents)]
        )

    def expected_reward_gradient(self, logits: Floats, rewards: Floats) -> tuple[float, Floats]:
        """Return E[Σ_t R_t] and its gradient, leaf by leaf: Σ P·R·∇log P, with ∇log softmax = one-hot −
        probabilities."""
        conditional = self.step_probabilities(logits)
        value, gradient = 0.0, np.zeros(len(logits))
        for leaf in self.leaves:
            path = self.path(leaf)
            earned = float(np.prod(conditional[path]) * rewards[path].sum())
            value += earned
            for node in path:
                gradient[node] += earned
                for sibling in self.children(self.parents[node]):
                    gradient[sibling] -= earned * conditional[sibling]
        return value, gradient


def random_tree(leaf_count: int, seed: int) -> Tree:
    """Return a tree of uneven depth with some nodes that have a single child."""
    source = random.Random(seed)
    parents, leaves = [-1, -1, -1], [0, 1, 2]
    while len(leaves) < leaf_count:
        leaf = leaves.pop(source.randrange(len(leaves)))
        for _ in range(min(source.randint(1, 5), leaf_count - len(leaves))):
            leaves.append(len(parents))
            parents.append(leaf)
    return Tree(tuple(parents), tuple(sorted(leaves)))
