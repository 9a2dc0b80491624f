"""Contrastive pretraining tasks for an encoder that starts from a checkpoint: cases, questions and articles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.data.token_streams import Stream, Windows, stack_windows
from lexgear.pretraining.learning.step import CaseSample, Step
from lexgear.pretraining.settings import PretrainSettings
from lexgear.training.losses import sequence_nll

Ints = NDArray[Any]
Mask = NDArray[np.bool_]
REASONING_SHARE = 0.3
"""Share of the cases with a reasoning whose second view is the reasoning."""
NEAR, SAME_CHARGES = 0.35, 0.03
"""Targets of a case with similar facts and the same charges, and of one with the same charges, relative to 1 for the
case itself."""
SHORTEST_SPAN, LONGEST_SPAN = 16, 64
"""Tokens of a span that stands for a question."""


class _Views(NamedTuple):
    views: Windows
    targets: NDArray[np.float32]


@dataclass(frozen=True)
class CaseContrast:
    """Retrieve a case by another view of it: other parts of its facts, or the court's reasoning.

    Cases with similar facts and charges are soft targets.
    """

    temperature: float
    name: str = "cases"

    def sample(self, draw: CaseSample) -> _Views | None:
        """Return a second view of each case and the share of the probability that every case should get."""
        if len(draw.cases) < 2:
            return None
        asking = draw.with_reasoning()
        chosen = asking[draw.rng.random(len(asking)) < REASONING_SHARE]
        views, mask = draw.view()
        if len(chosen):
            prepared = draw.prepared
            reasonings = prepared.framed(prepared.reasoning.windows(draw.cases[chosen], draw.length))
            both, seen = stack_windows([(views, mask), reasonings])
            order = np.arange(len(draw.cases))
            order[chosen] = len(order) + np.arange(len(chosen))
            views, mask = both[order], seen[order]
        same = (draw.prepared.first[draw.cases][:, None] == draw.prepared.first[draw.cases]).astype(np.float32)
        others = draw.overlap * (NEAR * draw.alike + SAME_CHARGES)
        targets = np.where(same > 0, 1, others)
        return _Views((views, mask), (targets / targets.sum(1, keepdims=True)).astype(np.float32))

    def loss(self, step: Step, drawn: _Views) -> Tensor:
        """Return the cross-entropy of the targets over all cases of the step."""
        views = step.generator.vectors(step.read(*drawn.views)).float()
        return functional.cross_entropy(views @ step.vectors.T / self.temperature, step.on_device(drawn.targets))


class _Pairs(NamedTuple):
    queries: Windows
    documents: Windows
    targets: Ints
    """Document that each query should retrieve."""
    excluded: Mask
    """(queries, documents): other right answers, which are no negatives."""
    paths: Ints
    """Law path of each query's document, if there is one: (queries, depth)."""


@dataclass(frozen=True)
class QuestionContrast:
    """Retrieve an article that answers a question, among those of other questions and similar ones.

    The question must also lead to the place of the article in the law, if the model knows that law.
    """

    settings: PretrainSettings
    name: str = "questions"

    def sample(self, draw: CaseSample) -> _Pairs | None:
        """Return questions, each with one of its answers and hard negatives."""
        prepared, settings, rng = draw.prepared, self.settings, draw.rng
        if not prepared.questions or rng.random() >= settings.question_share:
            return None
        count = min(settings.question_batch_size, len(prepared.questions))
        chosen = [prepared.questions[at] for at in rng.permutation(len(prepared.questions))[:count].tolist()]
        own = np.array([rng.choice(answers) for answers in chosen])
        hard = prepared.negatives[own]
        picks = [rng.permutation(row[row >= 0])[: settings.hard_negatives] for row in hard]
        documents = np.unique(prepared.first[np.concatenate([own, *picks])])
        answers = [prepared.first[rows] for rows in chosen]
        right = np.array([np.isin(documents, some) for some in answers])
        targets = np.searchsorted(documents, prepared.first[own])
        right[np.arange(count), targets] = False
        queries = prepared.framed(prepared.reasoning.windows(own, prepared.room(settings.article_length)))
        paths = [_path(prepared, case) for case in own.tolist()]
        articles = prepared.framed(prepared.facts.windows(documents, prepared.room(settings.article_length)))
        return _Pairs(queries, articles, targets, right, np.array(paths))

    def loss(self, step: Step, drawn: _Pairs) -> Tensor:
        """Return −log P of the answer, and of its place in the law."""
        read = step.read(*drawn.queries)
        found = _retrieval_loss(step, step.generator.vectors(read), drawn, self.settings.question_temperature)
        known = np.flatnonzero(drawn.paths[:, 0] >= 0)
        if not len(known) or not self.settings.law_weight:
            return found
        paths = drawn.paths[known]
        steps = step.generator.step_log_probs(read, known, paths, step.trie)
        return found + self.settings.law_weight * sequence_nll(steps, step.on_device(paths >= 0))


@dataclass(frozen=True)
class ArticleContrast:
    """Retrieve an article by a span of its text."""

    settings: PretrainSettings
    name: str = "articles"

    def sample(self, draw: CaseSample) -> _Pairs | None:
        """Return spans of articles, and the articles without them."""
        prepared, settings, rng = draw.prepared, self.settings, draw.rng
        titled = prepared.titled_articles
        if not len(titled) or rng.random() >= settings.article_share:
            return None
        rows = rng.choice(titled, min(settings.question_batch_size, len(titled)), replace=False)
        lengths = prepared.facts.lengths[rows] - prepared.titles[rows]
        size = np.minimum(rng.integers(SHORTEST_SPAN, LONGEST_SPAN + 1, len(rows)), np.maximum(lengths // 2, 1))
        begin = prepared.titles[rows] + rng.integers(0, np.maximum(lengths - size, 0) + 1)
        spans, mask = prepared.facts.windows(rows, LONGEST_SPAN, begin)
        mask &= np.arange(mask.shape[1]) < size[:, None]
        queries = prepared.framed((spans * mask, mask))
        rest = [
            np.delete(prepared.facts.row(row), np.s_[at : at + count])
            for row, at, count in zip(rows, begin, size, strict=True)
        ]
        left = Stream.of(rest).windows(np.arange(len(rows)), prepared.room(settings.article_length))
        documents = prepared.framed(left)
        nothing = np.full((len(rows), 1), -1)
        excluded = np.zeros((len(rows), len(rows)), dtype=bool)
        return _Pairs(queries, documents, np.arange(len(rows)), excluded, nothing)

    def loss(self, step: Step, drawn: _Pairs) -> Tensor:
        """Return −log P of the article."""
        asked = step.generator.vectors(step.read(*drawn.queries))
        return _retrieval_loss(step, asked, drawn, self.settings.question_temperature)


def _path(prepared: Prepared, case: int) -> Ints:
    """Return the law path of a case; −1 everywhere if it has none."""
    nodes = prepared.charges.row(case)
    return prepared.paths[nodes[0]] if len(nodes) else np.full(prepared.paths.shape[1], -1)


def _retrieval_loss(step: Step, asked: Tensor, drawn: _Pairs, temperature: float) -> Tensor:
    documents = step.generator.vectors(step.read(*drawn.documents)).float()
    scores = asked.float() @ documents.T / temperature
    return functional.cross_entropy(
        scores.masked_fill(step.on_device(drawn.excluded), -torch.inf), step.on_device(drawn.targets)
    )
