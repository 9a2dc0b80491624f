"""Checkpoint of a training loop, from which a run resumes exactly."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from lexgear.atomic import atomic_directory
from lexgear.training.model_state import damaged_checkpoint, restore_state, state_tensors
from lexgear.training.workspace import MARKER, STATE, Workspace

WEIGHTS, BEST = "weights.safetensors", "best.safetensors"


@dataclass
class Checkpoint:
    """Weights, optimiser moments, random state and log, written atomically after every epoch."""

    model: nn.Module
    optimiser: torch.optim.Optimizer
    schedule: Any
    workspace: Workspace | None = None
    _best: dict[str, Tensor] = field(default_factory=dict)

    def write(self, log: list[dict[str, float]], *, best: bool) -> None:
        """Save the current epoch; with `best`, its weights become the best ones."""
        if best:
            self._best = {name: value.detach().cpu().clone() for name, value in self.model.state_dict().items()}
        if self.workspace is None:
            return
        with atomic_directory(self.workspace.directory, MARKER) as temporary:
            tensors = state_tensors(self.model, self.optimiser) | {"random": torch.get_rng_state()}
            save_file(tensors, temporary / WEIGHTS)
            save_file(self._best, temporary / BEST)
            state = {"run": self.workspace.run, "log": log, "schedule": self.schedule.last_epoch}
            (temporary / STATE).write_text(json.dumps(state, indent=1), encoding="utf-8")

    def resume(self) -> list[dict[str, float]]:
        """Restore the last saved epoch and return its log; empty if there is none."""
        if self.workspace is None or (state := self.workspace.state()) is None:
            return []
        directory = self.workspace.directory
        try:
            tensors, self._best = load_file(directory / WEIGHTS), load_file(directory / BEST)
            self._restore(tensors, int(state["schedule"]))
            log: list[dict[str, float]] = state["log"]
        except (OSError, KeyError, ValueError, RuntimeError, SafetensorError) as error:
            raise damaged_checkpoint(directory) from error
        return log

    def restore_best(self) -> None:
        """Load the best weights into the model."""
        if self._best:
            self.model.load_state_dict(self._best)

    def _restore(self, tensors: dict[str, Tensor], steps: int) -> None:
        restore_state(tensors, self.model, self.optimiser)
        self.schedule.last_epoch = steps
        for group, base, factor in zip(
            self.optimiser.param_groups, self.schedule.base_lrs, self.schedule.lr_lambdas, strict=True
        ):
            group["lr"] = base * factor(steps)
        torch.set_rng_state(tensors["random"])
