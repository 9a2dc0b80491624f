"""Where a model runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.attention import SDPBackend, sdpa_kernel


def best_device() -> torch.device:
    """The GPU where there is one, else the CPU; `CUDA_VISIBLE_DEVICES=` hides it."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def to_device(array: NDArray[Any], device: torch.device) -> torch.Tensor:
    """An array where a model is. By way of pinned memory, so that nobody waits for what the GPU has still to do."""
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor


def mixed_precision(device: torch.device) -> AbstractContextManager[Any]:
    """bfloat16 where a GPU does the work of learning."""
    return torch.autocast(device.type, dtype=torch.bfloat16) if device.type == "cuda" else nullcontext()


def variable_length_attention(device: torch.device) -> AbstractContextManager[Any]:
    """Attention that takes texts of any length as they come: cuDNN's plans anew for each, 30 ms a time on an H200."""
    kernels = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
    return sdpa_kernel(kernels) if device.type == "cuda" else nullcontext()


@contextmanager
def deterministic(device: torch.device) -> Iterator[None]:
    """The same sums in the same order on the CPU, so that the same command gives the same weights."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(before or device.type == "cpu")
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)
