"""Pretraining tasks over one generator.

A task samples its inputs for a step as arrays, or None if the step holds nothing for it, and computes its loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.model.text_generation.text_head import text_nll
from lexgear.pretraining.data.masked_spans import Corrupted, corrupt
from lexgear.pretraining.data.prepared import SENTINELS
from lexgear.pretraining.data.token_streams import stack_windows
from lexgear.pretraining.learning.contrast import ArticleContrast, CaseContrast, QuestionContrast
from lexgear.pretraining.learning.step import CaseSample, Step
from lexgear.pretraining.settings import PretrainSettings
from lexgear.training.losses import sequence_nll

Ints = NDArray[Any]
Mask = NDArray[np.bool_]


class Task(Protocol):
    """Pretraining task protocol."""

    @property
    def name(self) -> str:
        """Name of the loss in the log."""

    def sample(self, draw: CaseSample) -> Any:
        """Return the inputs of a step, or None if there is nothing to learn."""

    def loss(self, step: Step, drawn: Any) -> Tensor:
        """Return the unweighted loss of a step."""


@dataclass(frozen=True)
class MaskedSpans:
    """Predict masked spans in windows of facts, reasonings and statutes."""

    share: float = 0.15
    """Share of masked tokens."""
    name: str = "spans"

    def sample(self, draw: CaseSample) -> Corrupted:
        """Sample as many windows as there are cases."""
        prepared, rng = draw.prepared, draw.rng
        cases, texts = prepared.learnt, len(prepared.texts)
        sources = ((prepared.facts, cases), (prepared.reasoning, cases), (prepared.texts, texts))
        ends = [(stream, int(stream.starts[count])) for stream, count in sources]
        # Longer sources get more windows, by the square root, so that no source is starved.
        share = np.sqrt([end for _, end in ends])
        counts = rng.multinomial(len(draw.cases), share / share.sum())
        windows = []
        for (stream, end), count in zip(ends, counts, strict=True):
            # Texts are drawn in proportion to their length.
            rows = np.searchsorted(stream.starts, rng.integers(0, max(end, 1), count), side="right") - 1
            windows.append(stream.random_windows(rows, draw.length, rng, heads=0.0))
        return corrupt(*stack_windows(windows), rng, self.share, prepared.end, prepared.first_sentinel, SENTINELS)

    def loss(self, step: Step, drawn: Corrupted) -> Tensor:
        """Return the mean −log P of masked tokens."""
        step.tokens += int(drawn.wanted.sum())
        memory = step.read(drawn.numbers, drawn.mask).memory
        return text_nll(step.generator.backbone, memory, drawn.targets, drawn.wanted)


class _Paths(NamedTuple):
    owners: Ints
    paths: Ints


@dataclass(frozen=True)
class LawPath:
    """Generate the law path from facts to a charge, or from an article to its heading; one softmax per node."""

    name: str = "law"

    def sample(self, draw: CaseSample) -> _Paths | None:
        """Return the path to one charge of each case, or to the heading of each article."""
        charges, owners = draw.prepared.charges, np.flatnonzero(draw.prepared.charges.lengths[draw.cases])
        if not len(owners):
            return None
        cases = draw.cases[owners]
        one = charges.starts[cases] + draw.rng.integers(0, charges.lengths[cases])
        return _Paths(owners, draw.prepared.paths[charges.numbers[one]])

    def loss(self, step: Step, drawn: _Paths) -> Tensor:
        """Return −log P of the paths."""
        steps = step.generator.step_log_probs(step.facts, drawn.owners, drawn.paths, step.trie)
        return sequence_nll(steps, step.on_device(drawn.paths >= 0))


class _Reasonings(NamedTuple):
    owners: Ints
    numbers: Ints
    mask: Mask


@dataclass(frozen=True)
class ReasoningGeneration:
    """Generate the court's reasoning from the facts, as in SAILER (Li et al., 2023), or the question of an article."""

    name: str = "retelling"

    def sample(self, draw: CaseSample) -> _Reasonings | None:
        """Return all reasonings of the step."""
        owners = draw.with_reasoning()
        return _Reasonings(owners, *draw.prepared.reasoning.windows(draw.cases[owners])) if len(owners) else None

    def loss(self, step: Step, drawn: _Reasonings) -> Tensor:
        """Return the mean −log P of reasoning tokens."""
        step.tokens += int(drawn.mask.sum())
        memory = step.facts.memory.rows(step.on_device(drawn.owners))
        return text_nll(step.generator.backbone, memory, drawn.numbers, drawn.mask)


class _FactQueries(NamedTuple):
    reasonings: _Reasonings
    excluded: Mask
    """(reasonings, cases): facts that are excluded as negatives because they fit as well."""


@dataclass(frozen=True)
class OwnFacts:
    """Retrieve the facts that a reasoning was written about among all cases of the step."""

    temperature: float
    same: float = 0.6
    """Facts that share this many words count as the same story: they are neither positives nor negatives. The same
    holds for facts with an identical reasoning."""
    name: str = "own_facts"

    def sample(self, draw: CaseSample) -> _FactQueries | None:
        """Return the reasonings of the step, cut to the length of its facts."""
        owners = draw.with_reasoning()
        if len(draw.cases) < 2 or not len(owners):
            return None
        read = draw.prepared.framed(draw.prepared.reasoning.windows(draw.cases[owners], draw.length))
        reasonings = _Reasonings(owners, *read)
        excluded = draw.alike[owners] >= self.same
        _, asking = np.unique(reasonings.numbers, axis=0, return_inverse=True)
        excluded[:, owners] |= asking[:, None] == asking[None, :]
        excluded[np.arange(len(owners)), owners] = False
        return _FactQueries(reasonings, excluded)

    def loss(self, step: Step, drawn: _FactQueries) -> Tensor:
        """Return −log P of the own facts."""
        reasonings = drawn.reasonings
        asked = step.generator.vectors(step.read(reasonings.numbers, reasonings.mask)).float()
        scores = (asked @ step.vectors.T / self.temperature).masked_fill(step.on_device(drawn.excluded), -torch.inf)
        return functional.cross_entropy(scores, step.on_device(reasonings.owners))


@dataclass(frozen=True)
class FactSimilarity:
    """Match the similarity of fact vectors to that of their words and charges."""

    temperature: float
    words: float = 8.0
    charges: float = 4.0
    """Weights of the target scores. A neighbour shares about a quarter of its words, a charge is shared by one case in
    twenty: neighbours get half of the probability, cases of the same charges most of the rest."""
    name: str = "likeness"

    def sample(self, draw: CaseSample) -> NDArray[np.float32] | None:
        """Return the (cases, cases) target scores; 0 on the diagonal."""
        targets: NDArray[np.float32] = self.words * draw.alike + self.charges * draw.overlap
        return targets if targets.any() else None

    def loss(self, step: Step, drawn: NDArray[np.float32]) -> Tensor:
        """Return Σ P · log(P / Q), P by the target scores and Q by the vectors, each case against all others of the
        step."""
        rows = step.on_device(np.flatnonzero(drawn.any(1)))  # the other rows have no targets
        own = torch.eye(len(drawn), dtype=torch.bool, device=rows.device)
        scores = step.vectors @ step.vectors.T / self.temperature
        teacher, learnt = (
            part.masked_fill(own, -torch.inf)[rows].log_softmax(1) for part in (step.on_device(drawn), scores)
        )
        return (teacher.exp() * (teacher - learnt).masked_fill(own[rows], 0)).sum(1).mean()


def tasks_of(settings: PretrainSettings) -> list[tuple[Task, float]]:
    """Return the tasks with a weight above 0, and their weights."""
    every: list[tuple[Task, float]] = [
        (MaskedSpans(), settings.span_weight),
        (LawPath(), settings.law_weight),
        (ReasoningGeneration(), settings.reasoning_weight),
        (OwnFacts(settings.temperature), settings.own_facts_weight),
        (FactSimilarity(settings.temperature), settings.similarity_weight),
        (CaseContrast(settings.temperature), settings.case_weight),
        (QuestionContrast(settings), settings.question_weight),
        (ArticleContrast(settings), settings.article_weight),
    ]
    return [(task, weight) for task, weight in every if weight > 0]
