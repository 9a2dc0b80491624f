"""A run of learning on disk: enough to go on as if it had never stopped."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from lexgear.atomic import DirectoryMarker, atomic_directory, check_output
from lexgear.errors import InputError
from lexgear.files import dumps, read_json

STATE, WEIGHTS = "state.json", "weights.safetensors"
MARKER = DirectoryMarker(STATE, '"step"')
Row = dict[str, float]


@dataclass
class Position:
    """How far a run is. What is random depends on the seed and the step alone, so that no random state is kept."""

    step: int = 0
    seconds: float = 0.0
    tokens: int = 0
    log: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A directory that belongs to one run: the same data, settings and version."""

    directory: Path
    run: str

    def write(self, position: Position, model: nn.Module, optimiser: torch.optim.Optimizer) -> None:
        """Keeps weights, the optimiser's moments and the position, all or nothing."""
        tensors = {f"model.{name}": value.detach().contiguous() for name, value in model.state_dict().items()}
        for number, moments in optimiser.state_dict()["state"].items():
            tensors |= {f"optimiser.{number}.{name}": value for name, value in moments.items()}
        with atomic_directory(self.directory, MARKER) as temporary:
            save_file({name: value.cpu() for name, value in tensors.items()}, temporary / WEIGHTS)
            row = {
                "run": self.run,
                "step": position.step,
                "seconds": position.seconds,
                "tokens": position.tokens,
                "log": position.log,
            }
            (temporary / STATE).write_text(dumps(row) + "\n", encoding="utf-8")

    def read(self, model: nn.Module, optimiser: torch.optim.Optimizer) -> Position:
        """Goes back to what was kept; to the beginning where nothing was. Another run's is refused."""
        check_output(self.directory, MARKER)
        if not MARKER.exists_in(self.directory):
            return Position()
        state = read_json(self.directory / STATE)
        if state.get("run") != self.run:
            raise InputError(
                "the checkpoint of another run (other settings, data or version)",
                file=self.directory,
                remedy="remove it to start anew, or repeat the command it comes from",
            )
        try:
            self._restore(load_file(self.directory / WEIGHTS), model, optimiser)
            return Position(int(state["step"]), float(state["seconds"]), int(state["tokens"]), state["log"])
        except (OSError, KeyError, ValueError, RuntimeError, SafetensorError) as error:
            raise InputError("damaged checkpoint", file=self.directory, remedy="remove it to start anew") from error

    def steps_done(self) -> int:
        """Steps that need not be learnt again."""
        return int(read_json(self.directory / STATE)["step"]) if MARKER.exists_in(self.directory) else 0

    def clear(self) -> None:
        """Removes it."""
        if MARKER.exists_in(self.directory):
            shutil.rmtree(self.directory)

    @staticmethod
    def _restore(tensors: dict[str, Tensor], model: nn.Module, optimiser: torch.optim.Optimizer) -> None:
        weights = {name.removeprefix("model."): value for name, value in tensors.items() if name.startswith("model.")}
        model.load_state_dict(weights)
        state = optimiser.state_dict()
        moments: dict[int, dict[str, Tensor]] = {}
        for name, value in tensors.items():
            if name.startswith("optimiser."):
                _, number, moment = name.split(".")
                moments.setdefault(int(number), {})[moment] = value
        optimiser.load_state_dict(state | {"state": moments})
