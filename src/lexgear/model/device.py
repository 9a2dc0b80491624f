"""Device, precision and determinism of model computations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.attention import SDPBackend, sdpa_kernel


def best_device() -> torch.device:
    """Return the GPU if there is one, else the CPU; `CUDA_VISIBLE_DEVICES=` hides GPUs."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def to_device(array: NDArray[Any], device: torch.device) -> torch.Tensor:
    """Return an array as a tensor on a device; pinned memory makes the copy asynchronous."""
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor


def mixed_precision(device: torch.device) -> AbstractContextManager[Any]:
    """Return a context with bfloat16 autocast on a GPU."""
    return torch.autocast(device.type, dtype=torch.bfloat16) if device.type == "cuda" else nullcontext()


def variable_length_attention(device: torch.device) -> AbstractContextManager[Any]:
    """Return a context without cuDNN attention, which plans anew for every text length (30 ms each on an H200)."""
    kernels = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
    return sdpa_kernel(kernels) if device.type == "cuda" else nullcontext()


@contextmanager
def deterministic(device: torch.device) -> Iterator[None]:
    """Use deterministic algorithms on the CPU, so that the same command gives the same weights."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(before or device.type == "cpu")
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)


@contextmanager
def limited_threads(number: int) -> Iterator[None]:
    """Compute with this number of threads on the CPU; 0 leaves it as it is.

    The threads divide sums among themselves, so their number changes the last digits, and with them a model that is
    trained from scratch.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(number or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)
