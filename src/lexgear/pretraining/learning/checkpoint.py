"""Checkpoint of a pretraining run, from which it resumes exactly."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from lexgear.atomic import DirectoryMarker, atomic_directory, check_output
from lexgear.files import dumps, read_json
from lexgear.training.model_state import damaged_checkpoint, foreign_checkpoint, restore_state, state_tensors

STATE, WEIGHTS = "state.json", "weights.safetensors"
MARKER = DirectoryMarker(STATE, '"step"')
Row = dict[str, float]


@dataclass
class Position:
    """Progress of a run. Random numbers depend on seed and step alone, so no random state is stored."""

    step: int = 0
    seconds: float = 0.0
    tokens: int = 0
    log: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Checkpoint directory of one run, with fixed data, settings and version."""

    directory: Path
    run: str

    def write(self, position: Position, model: nn.Module, optimiser: torch.optim.Optimizer) -> None:
        """Save weights, optimiser moments and position atomically."""
        with atomic_directory(self.directory, MARKER) as temporary:
            save_file(state_tensors(model, optimiser), temporary / WEIGHTS)
            row = {
                "run": self.run,
                "step": position.step,
                "seconds": position.seconds,
                "tokens": position.tokens,
                "log": position.log,
            }
            (temporary / STATE).write_text(dumps(row) + "\n", encoding="utf-8")

    def read(self, model: nn.Module, optimiser: torch.optim.Optimizer) -> Position:
        """Restore the checkpoint and return its position, at the start without one; refuse that of another run."""
        check_output(self.directory, MARKER)
        if not MARKER.exists_in(self.directory):
            return Position()
        state = read_json(self.directory / STATE)
        if state.get("run") != self.run:
            raise foreign_checkpoint(self.directory)
        try:
            restore_state(load_file(self.directory / WEIGHTS), model, optimiser)
            return Position(int(state["step"]), float(state["seconds"]), int(state["tokens"]), state["log"])
        except (OSError, KeyError, ValueError, RuntimeError, SafetensorError) as error:
            raise damaged_checkpoint(self.directory) from error

    def steps_done(self) -> int:
        """Return the number of finished steps."""
        return int(read_json(self.directory / STATE)["step"]) if MARKER.exists_in(self.directory) else 0

    def clear(self) -> None:
        """Remove the checkpoint."""
        if MARKER.exists_in(self.directory):
            shutil.rmtree(self.directory)
