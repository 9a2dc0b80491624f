"""Where a model runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch


def best_device() -> torch.device:
    """The GPU where there is one, else the CPU; `CUDA_VISIBLE_DEVICES=` hides it."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def precision(device: torch.device) -> AbstractContextManager[Any]:
    """bfloat16 where a GPU does the work of learning."""
    return torch.autocast(device.type, dtype=torch.bfloat16) if device.type == "cuda" else nullcontext()


@contextmanager
def repeatable(device: torch.device) -> Iterator[None]:
    """The same sums in the same order on the CPU, so that the same command gives the same weights."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(before or device.type == "cpu")
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)
