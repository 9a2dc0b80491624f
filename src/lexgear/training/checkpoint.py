"""A training run on disk: enough to go on as if it had never stopped."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from lexgear.atomic import atomic_directory
from lexgear.errors import InputError
from lexgear.training.workspace import MARKER, STATE, Workspace

WEIGHTS, BEST = "weights.safetensors", "best.safetensors"
_MOMENTS = ("exp_avg", "exp_avg_sq", "step")


@dataclass
class Checkpoint:
    """Weights, the optimiser's moments, the random state and the log; written whole after every epoch."""

    model: nn.Module
    optimiser: torch.optim.Optimizer
    schedule: Any
    workspace: Workspace | None = None
    _best: dict[str, Tensor] = field(default_factory=dict)

    def write(self, log: list[dict[str, float]], *, best: bool) -> None:
        """Keeps this epoch, and its weights as the best ones where they are."""
        if best:
            self._best = {name: value.detach().cpu().clone() for name, value in self.model.state_dict().items()}
        if self.workspace is None:
            return
        with atomic_directory(self.workspace.directory, MARKER) as temporary:
            save_file(self._tensors(), temporary / WEIGHTS)
            save_file(self._best, temporary / BEST)
            state = {"run": self.workspace.run, "log": log, "schedule": self.schedule.last_epoch}
            (temporary / STATE).write_text(json.dumps(state, indent=1), encoding="utf-8")

    def resume(self) -> list[dict[str, float]]:
        """Goes back to the last epoch kept, and returns its log; an empty one where there is nothing."""
        if self.workspace is None or (state := self.workspace.state()) is None:
            return []
        directory = self.workspace.directory
        try:
            tensors, self._best = load_file(directory / WEIGHTS), load_file(directory / BEST)
            self._restore(tensors, int(state["schedule"]))
            log: list[dict[str, float]] = state["log"]
        except (OSError, KeyError, ValueError, RuntimeError, SafetensorError) as error:
            raise InputError("damaged checkpoint", file=directory, remedy="remove it to start anew") from error
        return log

    def restore_best(self) -> None:
        """Puts the best weights into the model."""
        if self._best:
            self.model.load_state_dict(self._best)

    def _tensors(self) -> dict[str, Tensor]:
        kept = {f"model.{name}": value.detach().clone() for name, value in self.model.state_dict().items()}
        for number, moments in self.optimiser.state_dict()["state"].items():
            kept |= {f"optimiser.{number}.{name}": moments[name].detach().clone() for name in _MOMENTS}
        return kept | {"random": torch.get_rng_state()}

    def _restore(self, tensors: dict[str, Tensor], steps: int) -> None:
        self.model.load_state_dict(
            {name.removeprefix("model."): value for name, value in tensors.items() if name.startswith("model.")}
        )
        state = self.optimiser.state_dict()
        numbers = {name.split(".")[1] for name in tensors if name.startswith("optimiser.")}
        state["state"] = {int(n): {name: tensors[f"optimiser.{n}.{name}"] for name in _MOMENTS} for n in numbers}
        self.optimiser.load_state_dict(state)
        self.schedule.last_epoch = steps
        for group, base, pace in zip(
            self.optimiser.param_groups, self.schedule.base_lrs, self.schedule.lr_lambdas, strict=True
        ):
            group["lr"] = base * pace(steps)
        torch.set_rng_state(tensors["random"])
