"""Training phase of pretraining, on prepared arrays; needs torch and numpy only."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from time import monotonic

import torch
from torch import Tensor, nn

from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps
from lexgear.model.checkpoints import Backbone
from lexgear.model.device import best_device, deterministic, mixed_precision, variable_length_attention
from lexgear.model.generator.generator import Generator
from lexgear.model.t5 import T5Shape
from lexgear.pretraining.data.prepared import Prepared
from lexgear.pretraining.learning.batches import Batch, BatchLoader, BatchSampler, worker_count
from lexgear.pretraining.learning.checkpoint import Checkpoint, Position, Row
from lexgear.pretraining.learning.distributed import ProcessGroup
from lexgear.pretraining.learning.measures import validate
from lexgear.pretraining.learning.step import Step
from lexgear.pretraining.learning.tasks import tasks_of
from lexgear.pretraining.settings import PretrainSettings
from lexgear.progress import Progress, silent
from lexgear.training.schedule import warmup_cosine

STOPPED = math.inf
SINGLE_PROCESS = ProcessGroup()


def run_fingerprint(prepared: Prepared, settings: PretrainSettings, group: ProcessGroup) -> str:
    """Return the fingerprint of a run."""
    return sha256(dumps([prepared.about["run"], settings.to_row(), group.world_size]).encode()).hexdigest()


def initial_generator(prepared: Prepared, settings: PretrainSettings) -> Generator:
    """Return the model before training, from scratch or from the checkpoint; new parts depend on the seed alone."""
    torch.manual_seed(settings.seed)
    if not prepared.start:
        return Generator(Backbone(settings.shape(prepared.vocabulary)), prepared.ids.law_symbols, summary=True)
    shape = replace(
        T5Shape.from_row(prepared.start), decoder_layers=settings.num_decoder_layers, dropout=settings.dropout
    )
    generator = Generator(Backbone(shape), prepared.ids.law_symbols, summary=True)
    generator.backbone.load_state_dict(prepared.start_weights(), strict=False)
    return generator


@dataclass
class PretrainingRun:
    """One pretraining run."""

    prepared: Prepared
    settings: PretrainSettings
    checkpoint: Checkpoint | None = None
    group: ProcessGroup = SINGLE_PROCESS

    def run(self, progress: Progress = silent) -> tuple[Generator, Position]:
        """Train to the end. On SIGINT or SIGTERM, write a checkpoint and raise `KeyboardInterrupt`."""
        device, first = best_device(), self.checkpoint.steps_done() if self.checkpoint else 0
        sampler = BatchSampler(self.prepared, self.settings, self.group)
        with (
            _stop_requested() as asked,
            BatchLoader(sampler, first, worker_count(device.type, self.group)) as batches,
            deterministic(device),
            variable_length_attention(device),
        ):
            generator = initial_generator(self.prepared, self.settings).to(device)
            optimiser = self._optimiser(generator)
            position = self.checkpoint.read(generator, optimiser) if self.checkpoint else Position()
            self._learn(generator, optimiser, position, batches, asked, progress)
        generator.eval()
        return generator, position

    def _learn(
        self,
        generator: Generator,
        optimiser: torch.optim.Optimizer,
        position: Position,
        batches: BatchLoader,
        asked: Callable[[], bool],
        progress: Progress,
    ) -> None:
        settings, began = self.settings, monotonic() - position.seconds
        sums = _LossSums()
        while (done := self.group.broadcast(STOPPED if asked() else self._done(position))) < 1:
            rate = settings.learning_rate * warmup_cosine(done, settings.warmup)
            for group in optimiser.param_groups:
                group["lr"] = rate * group["relative_rate"]
            position.tokens += self.group.world_size * self._step(generator, optimiser, batches.take(), sums)
            position.step += 1
            position.seconds = monotonic() - began
            last = self._done(position) >= 1
            if position.step % settings.log_every == 0 or last:
                position.log.append(_row(position, rate, sums.means_and_reset(position.step)))
            if self.group.is_main and (position.step % settings.checkpoint_every == 0 or last):
                generator.eval()
                position.log.append({"step": position.step, **validate(generator, self.prepared, settings.max_length)})
                self._keep(position, generator, optimiser)
            note = f"step {position.step:,}, {position.tokens / 1e6:.1f}M tokens"
            progress(round(1000 * min(self._done(position), 1)), 1000, note)
        if done == STOPPED:
            if self.group.is_main:
                self._keep(position, generator, optimiser)
            raise KeyboardInterrupt

    def _step(self, generator: Generator, optimiser: torch.optim.Optimizer, batch: Batch, sums: _LossSums) -> int:
        """Run one optimiser step; return the number of tokens read and generated."""
        generator.train()
        torch.manual_seed(batch.seed)
        step = Step(generator, self.prepared.ids.trie, batch.facts)
        with mixed_precision(generator.device):
            losses = [
                (task.name, weight, task.loss(step, batch.task_inputs[task.name]).float())
                for task, weight in tasks_of(self.settings)
                if task.name in batch.task_inputs
            ]
        optimiser.zero_grad()
        if losses:
            torch.stack([weight * loss for _, weight, loss in losses]).sum().backward()  # type: ignore[no-untyped-call]
        self.group.average_gradients(generator)
        if torch.isfinite(nn.utils.clip_grad_norm_(generator.parameters(), self.settings.max_grad_norm)):
            optimiser.step()  # a step whose gradients overflow is skipped
        sums.add([(name, loss.detach()) for name, _, loss in losses])
        return step.tokens

    def _optimiser(self, generator: Generator) -> torch.optim.Optimizer:
        """Return AdamW without weight decay for embeddings and norms."""
        tables = {id(module.weight) for module in generator.modules() if isinstance(module, nn.Embedding)}
        learnt = [
            parameter for parameter in generator.parameters() if parameter.numel()
        ]  # the documents table is empty
        decays = [parameter for parameter in learnt if parameter.ndim > 1 and id(parameter) not in tables]
        others = [parameter for parameter in learnt if parameter.ndim == 1 or id(parameter) in tables]
        settings = self.settings
        pretrained = {id(parameter) for parameter in _pretrained_parts(generator)} if self.prepared.start else set()
        fast = settings.decoder_learning_rate / settings.learning_rate or 1.0
        groups = [
            {
                "params": [one for one in parameters if (id(one) in pretrained) == known],
                "weight_decay": decay,
                "relative_rate": 1.0 if known else fast,
            }
            for parameters, decay in ((decays, settings.weight_decay), (others, 0.0))
            for known in (True, False)
        ]
        groups = [group for group in groups if group["params"]]
        fused = generator.device.type == "cuda"
        return torch.optim.AdamW(groups, lr=self.settings.learning_rate, betas=(0.9, 0.98), fused=fused)

    def _keep(self, position: Position, generator: Generator, optimiser: torch.optim.Optimizer) -> None:
        if self.checkpoint:
            self.checkpoint.write(position, generator, optimiser)

    def _done(self, position: Position) -> float:
        """Return the finished share of the run by steps or by time, whichever is larger."""
        settings = self.settings
        return max(position.step / settings.steps, position.seconds / settings.seconds if settings.seconds else 0.0)


def _pretrained_parts(generator: Generator) -> Iterator[nn.Parameter]:
    """Yield the parameters that a checkpoint has."""
    for module in (generator.backbone.embed, generator.backbone.encoder, generator.content):
        yield from module.parameters()


class _LossSums:
    """Sums of the losses since the last log row; kept on the GPU to avoid synchronisation."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[Tensor, int]] = {}

    def add(self, losses: list[tuple[str, Tensor]]) -> None:
        """Add the losses of a step."""
        for name, loss in losses:
            total, count = self._sums.get(name, (torch.zeros_like(loss), 0))
            self._sums[name] = (total + loss, count + 1)

    def means_and_reset(self, step: int) -> dict[str, float]:
        """Return the mean losses and start new sums."""
        means = {name: total.item() / count for name, (total, count) in self._sums.items()}
        self._sums = {}
        if broken := [name for name, mean in means.items() if not math.isfinite(mean)]:
            raise InputError(
                f"training diverged before step {step}: {', '.join(broken)} not finite",
                code=ErrorCode.TRAINING_DIVERGED,
                remedy="lower learning_rate",
            )
        return means


def _row(position: Position, rate: float, losses: dict[str, float]) -> Row:
    return {
        "step": position.step,
        "seconds": round(position.seconds, 1),
        "tokens": position.tokens,
        "rate": rate,
        **losses,
    }


@contextmanager
def _stop_requested() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether SIGINT or SIGTERM arrived; the current step is always finished."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    before = {number: signal.signal(number, lambda *_: asked.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
