"""Data-parallel training with `torchrun`: each process takes a shard of every batch, all share the same weights."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module

import numpy as np
import torch
from numpy.typing import NDArray
from torch import distributed, nn

from lexgear.model.device import best_device

TIMEOUT = timedelta(hours=6)
"""Timeout of the other processes while the main process prepares the data."""


@dataclass(frozen=True, slots=True)
class ProcessGroup:
    """Rank of this process and number of processes."""

    rank: int = 0
    world_size: int = 1

    @property
    def is_main(self) -> bool:
        """True for the process that writes files and reports progress."""
        return self.rank == 0

    def shard(self, cases: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return this process's shard of the cases of a step."""
        return np.array_split(cases, self.world_size)[self.rank]

    def barrier(self) -> None:
        """Wait until all processes arrive here."""
        if self.world_size > 1:
            distributed.barrier()

    def average_gradients(self, model: nn.Module) -> None:
        """Replace the gradients by their mean over all processes."""
        if self.world_size == 1:
            return
        parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
        grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        together = torch.cat([grad.flatten() for grad in grads])
        distributed.all_reduce(together)
        parts = torch.split(together / self.world_size, [grad.numel() for grad in grads])
        for parameter, part in zip(parameters, parts, strict=True):
            parameter.grad = part.view_as(parameter)

    def broadcast(self, value: float) -> float:
        """Return the main process's value; clocks differ between processes."""
        if self.world_size == 1:
            return value
        shared = torch.tensor([value], dtype=torch.float64, device=best_device())
        distributed.broadcast(shared, 0)
        return float(shared.item())


@contextmanager
def process_group() -> Iterator[ProcessGroup]:
    """Join the processes started by `torchrun`; without it, a group of one."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield ProcessGroup()
        return
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    # Its functions have the group as a default argument. Optimisers import it: if they did so first within the group,
    # its threads would outlive it, and the process could abort at exit when one of them lets go of a tensor.
    import_module("torch.distributed.nn.functional")
    distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo", timeout=TIMEOUT)
    try:
        yield ProcessGroup(distributed.get_rank(), size)
    finally:
        distributed.destroy_process_group()
