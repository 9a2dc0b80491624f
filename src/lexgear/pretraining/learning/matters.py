"""Training of the classifier of matters on lay texts and parts of cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from lexgear.model.device import deterministic
from lexgear.pretraining.data.partial_facts import sample_facts
from lexgear.pretraining.data.token_streams import Stream, Windows, compact_rows, framed
from lexgear.pretraining.matters import MatterClassifier
from lexgear.progress import Progress, silent
from lexgear.training.schedule import warmup_cosine

Ints = NDArray[np.int64]
SHORTEST_PART = 24
"""Tokens of the shortest part of a case."""
BATCHES_OF_LIKE_LENGTH = 8
"""Batches of lay texts that are sorted by length together, so that little padding is read."""
HEAD_EPOCHS, HEAD_LEARNING_RATE, HEAD_PENALTY, HEAD_LENGTH = 300, 1e-2, 1e-4, 128


@dataclass(frozen=True, slots=True)
class MatterSettings:
    """Settings of the training of a classifier of matters."""

    rank: int = 16
    """Rank of the updates."""
    steps: int = 720
    lay_texts: int = 32
    """Lay texts per batch."""
    cases: int = 12
    """Parts of cases per batch."""
    max_case_length: int = 192
    """Longest part of a case in tokens."""
    head_cases: int = 3_000
    """Parts of cases that the softmax learns from before the updates do; with 0, it starts as it is."""
    learning_rate: float = 1e-3
    token_dropout: float = 0.1
    """Mean share of the tokens of lay texts that are left out."""
    label_smoothing: float = 0.05
    side_weight: float = 1.0
    """Weight of the loss of the decision between crimes and other matters, beside that of the matter."""
    seed: int = 0


@dataclass(frozen=True)
class LabelledTexts:
    """Tokenised texts with the matters of each."""

    texts: Stream
    matters: Sequence[Ints]
    """Places in the softmax; the target is spread evenly over them."""
    shares: NDArray[np.float64] | None = None
    """Probabilities of drawing each text; None if all are alike."""

    def __len__(self) -> int:
        return len(self.matters)

    def targets(self, rows: Ints, count: int) -> Tensor:
        """Return the target distributions of some texts over `count` matters."""
        target = np.zeros((len(rows), count), dtype=np.float32)
        for row, text in enumerate(rows.tolist()):
            target[row, self.matters[text]] = 1 / len(self.matters[text])
        return torch.from_numpy(target)


def train_matters(
    classifier: MatterClassifier,
    lay: LabelledTexts,
    cases: LabelledTexts,
    charges: int,
    frame: tuple[int, int],
    settings: MatterSettings,
    progress: Progress = silent,
) -> None:
    """Train a classifier: first the softmax over the encoder as it is, then softmax and updates together.

    With no cases for the first step in the settings, a classifier that has learnt before learns on.
    The first `charges` matters of the softmax are crimes; `frame` are the tokens before and after every text.
    Every batch has lay texts and parts of cases. Both are read apart, so that lay texts are not padded to the length
    of cases, and in bfloat16, which takes a third of the time on recent CPUs too.
    """
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    device, matters = classifier.head.weight.device, classifier.head.out_features
    half = torch.autocast(device.type, dtype=torch.bfloat16)

    def tensors(windows: Windows) -> tuple[Tensor, Tensor]:
        numbers, mask = framed(windows, frame)
        return torch.from_numpy(numbers.astype(np.int64)).to(device), torch.from_numpy(mask).to(device)

    def parts(rows: Ints, longest: int) -> Windows:
        limit = int(rng.integers(SHORTEST_PART, longest))
        return sample_facts(cases.texts, rows, limit, rng, 0.5, np.zeros(len(rows), dtype=np.int64))

    if settings.head_cases:
        states, targets = [], []
        with deterministic(device), half, torch.no_grad():
            for rows in np.array_split(np.arange(len(lay)), -(-len(lay) // settings.lay_texts)):
                states.append(classifier.states(*tensors(lay.texts.windows(rows, HEAD_LENGTH))))
                targets.append(lay.targets(rows, matters))
            drawn = _drawn(cases, min(settings.head_cases, len(cases)), rng)
            for rows in np.array_split(drawn, -(-len(drawn) // settings.lay_texts)):
                states.append(classifier.states(*tensors(parts(rows, HEAD_LENGTH))))
                targets.append(cases.targets(rows, matters))
                progress(len(states), None, "reading texts")
        _fit_head(classifier, torch.cat(states).float(), torch.cat(targets).to(device), settings.label_smoothing)
    weights = [weight for weight in classifier.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=settings.learning_rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: warmup_cosine(step / settings.steps, 0.1))
    classifier.train()
    with deterministic(device):
        for step, rows in zip(range(settings.steps), _batches(lay.texts, settings.lay_texts, rng), strict=False):
            drawn = _drawn(cases, settings.cases, rng)
            optimiser.zero_grad()
            total = 0.0
            for windows, target in (
                (_thinned(lay.texts.windows(rows), settings.token_dropout, rng), lay.targets(rows, matters)),
                (parts(drawn, settings.max_case_length), cases.targets(drawn, matters)),
            ):
                with half:
                    scores = classifier(*tensors(windows))
                loss = _loss(scores.float(), target.to(device), charges, settings)
                loss = loss * len(target) / (len(rows) + len(drawn))
                loss.backward()  # type: ignore[no-untyped-call]
                total += float(loss.detach())
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            schedule.step()
            progress(step + 1, settings.steps, f"loss {total:.3f}")
    classifier.eval()


def _loss(scores: Tensor, target: Tensor, charges: int, settings: MatterSettings) -> Tensor:
    """Return the mean loss of the matters, and of the decision between crimes and other matters."""
    sides = torch.stack([scores[:, :charges].logsumexp(1), scores[:, charges:].logsumexp(1)], 1)
    own = torch.stack([target[:, :charges].sum(1), target[:, charges:].sum(1)], 1)
    matter = functional.cross_entropy(scores, target, label_smoothing=settings.label_smoothing)
    return matter + settings.side_weight * functional.cross_entropy(sides, own)


def _fit_head(classifier: MatterClassifier, states: Tensor, targets: Tensor, label_smoothing: float) -> None:
    """Fit the softmax to the states of an encoder that stays as it is."""
    optimiser = torch.optim.Adam(classifier.head.parameters(), lr=HEAD_LEARNING_RATE)
    for _ in range(HEAD_EPOCHS):
        loss = functional.cross_entropy(classifier.head(states), targets, label_smoothing=label_smoothing)
        loss = loss + HEAD_PENALTY * classifier.head.weight.square().sum() / 2
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()


def _batches(texts: Stream, size: int, rng: np.random.Generator) -> Iterator[Ints]:
    """Yield batches of texts of like length without end, each text once per round."""
    waiting = np.zeros(0, dtype=np.int64)
    while True:
        while len(waiting) < size * BATCHES_OF_LIKE_LENGTH:
            waiting = np.concatenate([waiting, rng.permutation(len(texts))])
        some, waiting = np.split(waiting, [size * BATCHES_OF_LIKE_LENGTH])
        some = some[np.argsort(texts.lengths[some], kind="stable")].reshape(-1, size)
        yield from some[rng.permutation(len(some))]


def _drawn(texts: LabelledTexts, count: int, rng: np.random.Generator) -> Ints:
    """Return some texts at random, each at most once."""
    return rng.choice(len(texts), min(count, len(texts)), replace=False, p=texts.shares)


def _thinned(windows: Windows, share: float, rng: np.random.Generator) -> Windows:
    """Return texts without a random share of their tokens, from nothing to twice the mean share."""
    numbers, mask = windows
    kept = mask & (rng.random(mask.shape) >= 2 * share * rng.random((len(mask), 1)))
    kept[:, 0] = mask[:, 0]
    return compact_rows(numbers, kept)
