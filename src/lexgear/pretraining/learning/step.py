"""What one step looks at: some cases, drawn beforehand, whose facts the encoder reads once for all tasks."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from lexgear.docids.trie import Trie
from lexgear.model.device import to_device
from lexgear.model.generator.generator import Generator, Read
from lexgear.pretraining.data.partial_facts import sample_facts
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.data.token_streams import Windows

Ints = NDArray[Any]
HEADS = 0.7
"""Share of the windows that begin where the facts begin, as at search time; the others keep cases from being learnt
by heart."""
LENGTHS = (0.375, 0.5, 0.625, 0.75, 1.0)
"""Of the longest text: every step has one, so that short queries are read as well as long judgments."""
TITLED = 0.5
"""Share of the articles that are read with the titles above them: where a title asks for its article, finding it again
teaches nothing."""


class CaseSample:
    """Some cases, what is read of the facts of each, and how alike they are: arrays alone."""

    def __init__(self, prepared: Prepared, cases: Ints, longest: int, rng: np.random.Generator) -> None:
        self.prepared, self.cases, self.rng = prepared, cases, rng
        self.length = max(round(longest * rng.choice(LENGTHS)), 1)
        titles = np.where(rng.random(len(cases)) < TITLED, 0, prepared.titles[cases].astype(np.int64))
        self.facts = sample_facts(prepared.facts, cases, self.length, rng, HEADS, titles)

    @cached_property
    def alike(self) -> NDArray[np.float32]:
        """(cases, cases): how similar the facts are where one is a near neighbour of the other, 0 elsewhere."""
        prepared = self.prepared
        texts, owners = np.unique(prepared.first[self.cases], return_inverse=True)
        place = np.full(prepared.learnt + 1, -1)
        place[texts] = np.arange(len(texts))
        columns = place[prepared.neighbours[texts]]  # −1 there is the last place, which no case has
        rows, ranks = np.nonzero(columns >= 0)
        near = np.eye(len(texts), dtype=np.float32)
        near[rows, columns[rows, ranks]] = prepared.scores[texts[rows], ranks]
        alike: NDArray[np.float32] = near[np.ix_(owners, owners)]
        np.fill_diagonal(alike, 0)
        return alike

    def with_reasoning(self) -> Ints:
        """Which of the cases have something that asks for them: a reasoning, a question, titles."""
        return np.flatnonzero(self.prepared.reasoning.lengths[self.cases])


class Step:
    """What the model makes of what was drawn."""

    def __init__(self, generator: Generator, trie: Trie, facts: Windows) -> None:
        self.generator, self.trie, self._facts = generator, trie, facts
        self.tokens = 0
        """Read and written so far."""

    @cached_property
    def facts(self) -> Read:
        """The facts of the cases."""
        return self.read(*self._facts)

    @cached_property
    def vectors(self) -> Tensor:
        """A unit vector for the facts of each case."""
        return self.generator.vectors(self.facts).float()

    def read(self, numbers: Ints, mask: NDArray[np.bool_]) -> Read:
        """Runs the encoder, and counts the tokens."""
        self.tokens += int(mask.sum())
        return self.generator.read(numbers, mask)

    def on_device(self, array: NDArray[Any]) -> Tensor:
        """An array where the model is."""
        return to_device(array, self.generator.device)
