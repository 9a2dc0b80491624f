"""Gradients of the batches of a step computed by several workers of an engine at the same time.

A worker takes whole batches, and the gradients are added in the order of the batches: the weights are those of one
process, whatever the number of workers. Workers keep nothing from step to step, since the weights come with every step;
the batches of a worker that dies go to the next one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from lexgear.engine.base import Actor, ActorType, WorkerLostError
from lexgear.engine.current import current_engine
from lexgear.errors import ErrorCode, InputError
from lexgear.model.device import deterministic, variable_length_attention
from lexgear.training.batch_gradients import (
    Batch,
    BatchLosses,
    GradientSource,
    LocalGradients,
    Objective,
    add_gradient,
)

PATIENCE = 120.0
"""Seconds after which batches are given up whose workers have died, one after another."""
PAUSE = 0.5
"""Seconds until the batches of a worker that died are given to the next one."""

Gradient = list[NDArray[Any] | None]
"""The gradient of each weight in the order of `parameters()`; None if a weight was not used."""


class SpreadGradients(GradientSource):
    """Lets actors compute the gradients of several batches at the same time."""

    def __init__(self, actors: Sequence[Actor], model: nn.Module, objective: Objective) -> None:
        self.actors, self.model, self.objective = actors, model, objective

    def add(self, batches: Sequence[Batch]) -> Iterator[BatchLosses]:
        """Give each actor its share of the batches, and add the gradients in the order of the batches."""
        state = {name: value.detach().cpu().numpy() for name, value in self.model.state_dict().items()}
        shares = [batches[place :: len(self.actors)] for place in range(min(len(self.actors), len(batches)))]
        asked = [self.actors[place].call("gradients", state, share) for place, share in enumerate(shares)]
        found = [self._answer(place, (state, shares[place]), future) for place, future in enumerate(asked)]
        for number in range(len(batches)):
            losses, tokens, gradient = found[number % len(shares)][number // len(shares)]
            self._add(gradient)
            self.objective.tokens += tokens
            yield losses

    def _answer(self, place: int, arguments: tuple[Any, ...], future: Any) -> list[tuple[BatchLosses, int, Gradient]]:
        """Return the answer of an actor, or of the next one if it dies."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                found: list[tuple[BatchLosses, int, Gradient]] = future.result()
            except WorkerLostError:
                if time.monotonic() > end:
                    raise
                time.sleep(PAUSE)
                place += 1
                future = self.actors[place % len(self.actors)].call("gradients", *arguments)
            else:
                return found

    def _add(self, gradient: Gradient) -> None:
        for weight, array in zip(self.model.parameters(), gradient, strict=True):
            if array is not None:
                own = torch.tensor(array, device=weight.device)
                weight.grad = own if weight.grad is None else weight.grad.add_(own)


class GradientWorker:
    """A copy of a model and its objective in the process of an actor."""

    def __init__(self, model: nn.Module, objective: Objective, device: str, threads: int) -> None:
        if device == "cuda" and not torch.cuda.is_available():
            raise InputError(
                "a machine of the cluster has no GPU, unlike that of the command",
                code=ErrorCode.INVALID_ARGUMENT,
                remedy="use machines with GPUs, or hide those of this machine (CUDA_VISIBLE_DEVICES=)",
            )
        torch.set_num_threads(threads)
        self.model, self.objective = deepcopy((model, objective))  # an actor may be in this process
        self.device = torch.device(device)

    def gradients(
        self, state: Mapping[str, NDArray[Any]], batches: Sequence[Batch]
    ) -> list[tuple[BatchLosses, int, Gradient]]:
        """Return the losses, the number of tokens and the gradient of each batch, for a state of the model."""
        self.model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in state.items()})
        self.model.train()
        with deterministic(self.device), variable_length_attention(self.device):
            return [self._gradient(batch) for batch in batches]

    def _gradient(self, batch: Batch) -> tuple[BatchLosses, int, Gradient]:
        self.model.zero_grad()
        before = self.objective.tokens
        losses = add_gradient(self.objective, batch, self.device)
        grads = [weight.grad for weight in self.model.parameters()]
        return losses, self.objective.tokens - before, [None if one is None else one.cpu().numpy() for one in grads]


@contextmanager
def gradient_source(
    model: nn.Module, objective: Objective, batches: int, device: torch.device
) -> Iterator[GradientSource]:
    """Yield what computes the gradients of steps of so many batches: actors of the engine, or this process."""
    engine = current_engine()
    count = min(engine.workers, batches) if engine else 1
    if engine is None or count == 1:
        yield LocalGradients(objective, device)
        return
    threads = max(torch.get_num_threads() // count, 1)
    kind = ActorType(GradientWorker, (model, objective, device.type, threads))
    actors = [engine.actor(kind, place) for place in range(count)]
    try:
        yield SpreadGradients(actors, model, objective)
    finally:
        for actor in actors:
            actor.close()
