"""Sampled cases of a step, and the model's states that its tasks share."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from lexgear.docids.trie import Trie
from lexgear.model.device import to_device
from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.pretraining.data.partial_facts import sample_facts
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.data.token_streams import Windows

Ints = NDArray[Any]
HEAD_SHARE = 0.7
"""Share of windows that start at the beginning of the facts, as in search; the others prevent memorising of cases."""
LENGTH_SHARES = (0.375, 0.5, 0.625, 0.75, 1.0)
"""Text lengths as shares of the maximum, one per step, so that short queries are learnt as well as long judgments."""
TITLED_SHARE = 0.5
"""Share of articles that are read with their titles; a title that asks for its article is trivial to match
otherwise."""


class CaseSample:
    """Sampled cases with the windows of their facts and their similarities, as arrays."""

    def __init__(self, prepared: Prepared, cases: Ints, longest: int, rng: np.random.Generator) -> None:
        self.prepared, self.cases, self.rng = prepared, cases, rng
        self.length = prepared.room(max(round(longest * rng.choice(LENGTH_SHARES)), 1))
        self.facts = self.view()

    def view(self) -> Windows:
        """Return a window or partial facts of each case, sampled anew."""
        prepared, cases, rng = self.prepared, self.cases, self.rng
        titles = np.where(rng.random(len(cases)) < TITLED_SHARE, 0, prepared.titles[cases].astype(np.int64))
        return prepared.framed(sample_facts(prepared.facts, cases, self.length, rng, HEAD_SHARE, titles))

    @cached_property
    def alike(self) -> NDArray[np.float32]:
        """(cases, cases): similarity of the facts of near neighbours, 0 for other pairs."""
        prepared = self.prepared
        texts, owners = np.unique(prepared.first[self.cases], return_inverse=True)
        place = np.full(prepared.learnt + 1, -1)
        place[texts] = np.arange(len(texts))
        columns = place[prepared.neighbours[texts]]  # −1 selects the last entry, which is −1 for every case
        rows, ranks = np.nonzero(columns >= 0)
        near = np.eye(len(texts), dtype=np.float32)
        near[rows, columns[rows, ranks]] = prepared.scores[texts[rows], ranks]
        alike: NDArray[np.float32] = near[np.ix_(owners, owners)]
        np.fill_diagonal(alike, 0)
        return alike

    @cached_property
    def overlap(self) -> NDArray[np.float32]:
        """(cases, cases): Jaccard index of the charges, or of the places of articles; 0 on the diagonal."""
        prepared, lengths = self.prepared, self.prepared.charges.lengths[self.cases]
        places = prepared.similarity_nodes[np.concatenate([prepared.charges.row(case) for case in self.cases.tolist()])]
        owners = np.broadcast_to(np.repeat(np.arange(len(self.cases)), lengths)[:, None], places.shape)
        known, columns = np.unique(places, return_inverse=True)
        sets = np.zeros((len(self.cases), len(known)), dtype=np.float32)
        sets[owners, columns.reshape(places.shape)] = 1
        sets = sets[:, known >= 0]
        shared, count = sets @ sets.T, sets.sum(1)
        overlap: NDArray[np.float32] = shared / np.maximum(count[:, None] + count[None, :] - shared, 1)
        np.fill_diagonal(overlap, 0)
        return overlap

    def with_reasoning(self) -> Ints:
        """Return the cases that have a reasoning, a question or titles."""
        return np.flatnonzero(self.prepared.reasoning.lengths[self.cases])


class Step:
    """Model states of a batch, computed once for all tasks."""

    def __init__(self, generator: Generator, trie: Trie, facts: Windows) -> None:
        self.generator, self.trie, self._facts = generator, trie, facts
        self.tokens = 0
        """Tokens read and generated so far."""

    @cached_property
    def facts(self) -> EncodedTexts:
        """Encoded facts of the cases."""
        return self.read(*self._facts)

    @cached_property
    def vectors(self) -> Tensor:
        """One unit vector per case, from its facts."""
        return self.generator.vectors(self.facts).float()

    def read(self, numbers: Ints, mask: NDArray[np.bool_]) -> EncodedTexts:
        """Run the encoder and count the tokens."""
        self.tokens += int(mask.sum())
        return self.generator.read(numbers, mask)

    def on_device(self, array: NDArray[Any]) -> Tensor:
        """Return an array as a tensor on the model's device."""
        return to_device(array, self.generator.device)
