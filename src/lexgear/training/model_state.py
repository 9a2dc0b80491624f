"""Model and optimiser state as named tensors, shared by all checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from lexgear.errors import ErrorCode, InputError


def state_tensors(model: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Return copies of the weights and of the optimiser's moments, on the CPU."""
    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    for number, moments in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{number}.{name}": value for name, value in moments.items()}
    return {name: value.detach().cpu().clone().contiguous() for name, value in tensors.items()}


def restore_state(tensors: Mapping[str, Tensor], model: nn.Module, optimiser: torch.optim.Optimizer) -> None:
    """Load what `state_tensors` returned; other tensors are ignored."""
    model.load_state_dict(
        {name.removeprefix("model."): value for name, value in tensors.items() if name.startswith("model.")}
    )
    moments: dict[int, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        if name.startswith("optimiser."):
            _, number, moment = name.split(".")
            moments.setdefault(int(number), {})[moment] = value
    optimiser.load_state_dict(optimiser.state_dict() | {"state": moments})


def damaged_checkpoint(directory: Path) -> InputError:
    """Return the error for a checkpoint that cannot be read."""
    remedy = "remove it to start from the beginning"
    return InputError("damaged checkpoint", code=ErrorCode.CHECKPOINT_INVALID, file=directory, remedy=remedy)


def foreign_checkpoint(directory: Path) -> InputError:
    """Return the error for a checkpoint of another run."""
    return InputError(
        "the checkpoint of another training run (other settings, data or version)",
        code=ErrorCode.CHECKPOINT_INVALID,
        file=directory,
        remedy="remove it to start from the beginning, or repeat the command that wrote it",
    )
