"""Walks down a trie: nodes requested by searches are scored in one decoder pass for all queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lexgear.docids.trie import Trie
from lexgear.model.generator.decoder_memory import Branch, Cache
from lexgear.model.generator.generator import EncodedTexts, Generator

LogP = NDArray[np.float64]
Nodes = Mapping[int, Sequence[int]]
"""Node numbers by query."""

TOP = 40
"""Nodes scored before they are requested: the first complete levels of the law, which every search passes.

A decoder pass reads all its weights, which takes as long as 15 nodes: one pass for chapters and sections instead of
three saves a seventh of a search in a tree of LeCaRD's size.
"""


class ModelWalks:
    """Walks of several queries down one trie; the nodes of all queries share one decoder pass.

    Nothing is padded or copied: nodes are concatenated, and each attends to the keys and values of its own query. A
    node with one child needs no model; it is processed together with the first descendant that does.
    """

    def __init__(self, generator: Generator, trie: Trie, read: EncodedTexts, *, children: bool = True) -> None:
        self.generator, self.trie, self.children = generator, trie, children
        self._queries = [_Query(read.row(number)) for number in range(len(read.mask))]

    @torch.inference_mode()
    def expand(self, asked: Nodes) -> dict[int, list[LogP]]:
        """Return log P(child | node) for the children of each node, in order; queries by number."""
        wanted = {query: self._wanted(query, nodes) for query, nodes in asked.items()}
        self._score({query: nodes for query, nodes in wanted.items() if nodes})
        return {query: [self._answer(query, node) for node in nodes] for query, nodes in asked.items()}

    def _answer(self, query: int, node: int) -> LogP:
        count = int(self.trie.child_count[node])
        return np.zeros(count) if self._certain(node) else self._queries[query].answers.pop(node)

    def _certain(self, node: int) -> bool:
        """Return whether a node has at most one child."""
        return self.children and bool(self.trie.child_count[node] <= 1)

    def _wanted(self, query: int, nodes: Sequence[int]) -> list[int]:
        """Return the nodes that need the model now and their skipped ancestors, parents first."""
        visited = self._queries[query].lines
        wanted: set[int] = set()
        for node in nodes if 0 in visited else [*nodes, *_top(self.trie)]:
            above = -1 if self._certain(node) else node
            while above not in visited and above not in wanted:
                wanted.add(above)
                above = int(self.trie.parent[above])
        return sorted(wanted)

    def _score(self, wanted: Nodes) -> None:
        """Run one decoder pass and keep the children's scores until they are requested."""
        if not wanted:
            return
        rows = [(query, node) for query, nodes in wanted.items() for node in nodes]
        chosen = [place for place, (_, node) in enumerate(rows) if not self._certain(node)]
        states, nodes = self._states(wanted)[chosen], np.array([rows[place][1] for place in chosen])
        read = [self._queries[rows[place][0]].read for place in chosen]
        states = self.generator.node_states(states, nodes, read, self.trie)
        steps = self.generator.child_log_probs(states, nodes, self.trie, children=self.children)
        for place, answer in zip(chosen, steps, strict=True):
            query, node = rows[place]
            self._queries[query].answers[node] = answer

    def _states(self, wanted: Nodes) -> Tensor:
        decoder = self.generator.backbone.decoder
        branches, inputs = [], []
        for number, nodes in wanted.items():
            query = self._queries[number]
            apart = torch.from_numpy(query.grow(nodes, self.trie)).to(self.generator.device)
            branches.append(Branch(len(nodes), decoder.above_bias(apart), query.cache, query.read.memory))
            inputs.append(self.generator.node_inputs(np.array(nodes), self.trie) + query.read.summary)
        return decoder.step(torch.cat(inputs), branches)


class ModelWalk:
    """Walk of one query: scores many nodes at once and none twice."""

    def __init__(
        self, generator: Generator, trie: Trie, read: EncodedTexts, query: int, *, children: bool = True
    ) -> None:
        self._walks = ModelWalks(generator, trie, read.row(query), children=children)

    def expand(self, nodes: Sequence[int]) -> list[LogP]:
        """Return log P(child | node) for the children of each node, in order."""
        return self._walks.expand({0: nodes})[0]


class _Query:
    """Visited nodes of one query, and scores that were not requested yet."""

    def __init__(self, read: EncodedTexts) -> None:
        self.read = read
        self.cache = [Cache() for _ in read.memory.layers]
        self.lines: dict[int, list[int]] = {-1: []}
        """Cache positions of a node's ancestors, from the root down, and its own."""
        self.answers: dict[int, LogP] = {}

    def grow(self, nodes: Sequence[int], trie: Trie) -> NDArray[np.int64]:
        """Assign cache positions to nodes; return the levels between each node and every position, −1 if not an
        ancestor."""
        start = len(self.lines) - 1
        apart = np.full((len(nodes), start + len(nodes)), -1)
        for row, node in enumerate(nodes):
            line = [*self.lines[int(trie.parent[node])], start + row]
            self.lines[node] = line
            apart[row, line] = np.arange(len(line) - 1, -1, -1)
        return apart


def _top(trie: Trie) -> list[int]:
    """Return the first complete levels of the law, at most `TOP` nodes, without the parents of documents."""
    top: list[int] = []
    for level in trie.levels():
        inner = level.start + np.flatnonzero(trie.child_count[level.start : level.stop])
        law = inner[trie.document[trie.first_child[inner]] < 0].tolist()
        if len(top) + len(law) > TOP:
            break
        top += law
    return top
