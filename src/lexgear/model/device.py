"""Where a model runs."""

from __future__ import annotations

import torch


def best_device() -> torch.device:
    """The GPU where there is one, else the CPU; `CUDA_VISIBLE_DEVICES=` hides it."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
