"""Losses compared with a second computation: token by token, node by node, pair by pair."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from lexgear.model.generator.generator import EncodedTexts, Generator
from lexgear.model.generator.walk import ModelWalk
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.data.token_streams import Stream
from lexgear.pretraining.learning.step import CaseSample, Step
from lexgear.pretraining.learning.tasks import FactSimilarity, LawPath, MaskedSpans, OwnFacts, ReasoningGeneration
from pretraining.small import sample_of, step_over, still

CASES = [3, 0, 41, 17]


@pytest.fixture(autouse=True)
def _only_values() -> Iterator[None]:
    with torch.no_grad():
        yield


@pytest.fixture
def draw(prepared: Prepared) -> CaseSample:
    return sample_of(prepared, CASES)


@pytest.fixture
def step(prepared: Prepared, draw: CaseSample) -> Step:
    return step_over(still(prepared), prepared, draw)


def written(generator: Generator, read: EncodedTexts, owner: int, tokens: list[int]) -> list[float]:
    """Return −log P of each token of a text, decoded one after the other."""
    backbone, found = generator.backbone, []
    for length in range(1, len(tokens) + 1):
        before = torch.tensor([[0, *tokens[: length - 1]]])
        sees = torch.ones(length, length, dtype=torch.bool).tril()
        memory = read.memory.rows(torch.tensor([owner]))
        state = backbone.decoder(backbone.embed(before), torch.arange(length), sees, memory)[0, -1]
        scores = backbone.embed.weight @ state / math.sqrt(backbone.shape.width)
        found.append(-float(scores.log_softmax(0)[tokens[length - 1]]))
    return found


def test_masked_spans_score_each_hidden_token_after_those_before_it(step: Step, draw: CaseSample) -> None:
    task = MaskedSpans()
    text = task.sample(draw)
    read = step.generator.read(text.numbers, text.mask)
    rows = [text.targets[row][text.wanted[row]].tolist() for row in range(len(CASES))]
    expected = [nll for row, tokens in enumerate(rows) for nll in written(step.generator, read, row, tokens)]
    assert float(task.loss(step, text)) == pytest.approx(np.mean(expected), rel=1e-5)


def test_the_law_path_costs_what_a_walk_down_the_law_says(step: Step, draw: CaseSample, prepared: Prepared) -> None:
    task, trie = LawPath(), prepared.ids.trie
    drawn = task.sample(draw)
    assert drawn is not None
    expected = []
    for owner, path in zip(drawn.owners, drawn.paths, strict=True):
        way = [0, *path[path >= 0].tolist()]
        assert way[-1] in prepared.charges.row(CASES[owner])
        answers = ModelWalk(step.generator, trie, step.facts, int(owner)).expand(way[:-1])
        expected.append(-sum(a[trie.sibling_rank(n)] for a, n in zip(answers, way[1:], strict=True)))
    assert float(task.loss(step, drawn)) == pytest.approx(np.mean(expected), rel=1e-5)


def test_retelling_scores_each_token_of_the_reasoning(step: Step, draw: CaseSample, prepared: Prepared) -> None:
    drawn = ReasoningGeneration().sample(draw)
    assert drawn is not None
    rows = [prepared.reasoning.row(case).tolist() for case in CASES]
    expected = [nll for owner, row in enumerate(rows) for nll in written(step.generator, step.facts, owner, row)]
    assert float(ReasoningGeneration().loss(step, drawn)) == pytest.approx(np.mean(expected), rel=1e-5)


def vectors(step: Step, draw: CaseSample, prepared: Prepared) -> tuple[np.ndarray, np.ndarray]:
    """Return the vectors of the facts and of the reasonings, each text encoded alone."""

    def alone(numbers: np.ndarray, mask: np.ndarray) -> np.ndarray:
        rows = [(numbers[row : row + 1, mask[row]], mask[row : row + 1, mask[row]]) for row in range(len(numbers))]
        read: list[Tensor] = [step.generator.vectors(step.generator.read(*row))[0] for row in rows]
        return torch.stack(read).detach().double().numpy()

    reasonings = prepared.reasoning.windows(np.array(CASES), draw.length)
    return alone(*draw.facts), alone(*reasonings)


def test_own_facts_are_found_among_those_of_the_step(step: Step, draw: CaseSample, prepared: Prepared) -> None:
    facts, reasonings = vectors(step, draw, prepared)
    scores = reasonings @ facts.T / 0.1
    expected = -np.mean([scores[i, i] - np.logaddexp.reduce(scores[i]) for i in range(len(CASES))])
    task = OwnFacts(temperature=0.1)
    assert float(task.loss(step, task.sample(draw))) == pytest.approx(expected, rel=1e-4)  # type: ignore[arg-type]


def test_the_same_story_told_twice_counts_neither_for_nor_against(prepared: Prepared) -> None:
    near = prepared.neighbours.copy()
    near[CASES[0], 0], near[CASES[0], 1:] = CASES[2], -1
    scores = prepared.scores.copy()
    scores[CASES[0], 0] = 0.9
    changed = replace(prepared, neighbours=near, scores=scores)
    draw = sample_of(changed, CASES)
    step = step_over(still(prepared), changed, draw)
    facts, reasonings = vectors(step, draw, prepared)
    logits = reasonings @ facts.T / 0.1
    logits[0, 2] = -np.inf
    expected = -np.mean([logits[i, i] - np.logaddexp.reduce(logits[i]) for i in range(len(CASES))])
    task = OwnFacts(temperature=0.1)
    assert float(task.loss(step, task.sample(draw))) == pytest.approx(expected, rel=1e-4)  # type: ignore[arg-type]


def test_likeness_is_the_divergence_from_a_teacher_of_words_and_charges(prepared: Prepared) -> None:
    case = next(c for c in range(50) if prepared.scores[c, 0] > 0)
    cases = [
        case,
        int(prepared.neighbours[case, 0]),
        *[c for c in CASES if c not in (case, *prepared.neighbours[case])],
    ]
    draw = sample_of(prepared, cases)
    step = step_over(still(prepared), prepared, draw)
    task = FactSimilarity(temperature=0.1)
    vectors = step.vectors.detach().double().numpy()
    expected = []
    for i, a in enumerate(cases):
        others = [j for j in range(len(cases)) if j != i]
        small_collection = []
        for j in others:
            ours, theirs = (set(prepared.charges.row(c).tolist()) for c in (a, cases[j]))
            rank = np.flatnonzero(prepared.neighbours[a] == cases[j])
            words = float(prepared.scores[a, rank[0]]) if len(rank) else 0.0
            small_collection.append(8 * words + 4 * len(ours & theirs) / len(ours | theirs))
        if any(small_collection):
            teacher = np.exp(small_collection) / np.exp(small_collection).sum()
            learnt = np.array([vectors[i] @ vectors[j] / 0.1 for j in others])
            expected.append(np.sum(teacher * (np.log(teacher) - learnt + np.logaddexp.reduce(learnt))))
    drawn = task.sample(draw)
    assert drawn is not None
    assert float(task.loss(step, drawn)) == pytest.approx(np.mean(expected), rel=1e-4)


def test_cases_without_reasoning_or_charges_teach_what_they_can(prepared: Prepared) -> None:
    def without(stream: Stream, gone: set[int]) -> Stream:
        return Stream.of(stream.row(case)[:0] if case in gone else stream.row(case) for case in range(len(stream)))

    half = {CASES[0], CASES[2]}
    bare = replace(prepared, reasoning=without(prepared.reasoning, half), charges=without(prepared.charges, half))
    draw = sample_of(bare, CASES)
    step = step_over(still(prepared), bare, draw)
    for task in (MaskedSpans(), LawPath(), ReasoningGeneration(), OwnFacts(0.1), FactSimilarity(0.1)):
        drawn = task.sample(draw)
        assert drawn is None or math.isfinite(float(task.loss(step, drawn)))  # type: ignore[arg-type]
        if isinstance(task, LawPath | ReasoningGeneration | OwnFacts):
            owners = drawn.reasonings.owners if isinstance(task, OwnFacts) else drawn.owners  # type: ignore[union-attr]
            assert owners.tolist() == [1, 3]
    everyone = set(range(len(prepared.facts)))
    empty = replace(bare, reasoning=without(bare.reasoning, everyone), charges=without(bare.charges, everyone))
    draw = sample_of(replace(empty, scores=np.zeros_like(prepared.scores)), CASES)
    assert [task.sample(draw) for task in (LawPath(), ReasoningGeneration(), OwnFacts(0.1), FactSimilarity(0.1))] == [
        None
    ] * 4
    assert MaskedSpans().sample(draw) is not None


def test_the_facts_are_read_once_for_all_tasks(step: Step, draw: CaseSample) -> None:
    for task in (LawPath(), ReasoningGeneration(), FactSimilarity(0.1)):
        drawn = task.sample(draw)
        if drawn is not None:
            task.loss(step, drawn)  # type: ignore[arg-type]
    facts, told = int(draw.facts[1].sum()), int(ReasoningGeneration().sample(draw).mask.sum())  # type: ignore[union-attr]
    assert step.tokens == facts + told
