from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lexgear.errors import InputError
from lexgear.training.loop import Loop, LoopSettings

INPUTS = torch.randn(40, 3, generator=torch.Generator().manual_seed(1))
TARGETS = INPUTS @ torch.tensor([[1.0], [-2.0], [0.5]])


class Line:
    """A line to learn, with dropout, so that the random state matters."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def losses(self, batch: NDArray[np.int64], chance: np.random.Generator) -> dict[str, Tensor]:
        guess = self.model(nn.functional.dropout(INPUTS[batch], 0.1))
        return {"squares": ((guess - TARGETS[batch]) ** 2).mean()}


def line(settings: LoopSettings, directory: Path | None = None) -> Loop:
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    return Loop(model, Line(model), len(INPUTS), settings, directory=directory)


def weights(loop: Loop) -> list[float]:
    return torch.cat([value.flatten() for value in loop.model.state_dict().values()]).tolist()


def test_a_line_is_learnt_and_the_losses_are_logged() -> None:
    loop = line(LoopSettings(epochs=40, batch=8, rate=0.1))
    seen: list[tuple[int, int | None]] = []
    log = loop.run(lambda done, total: seen.append((done, total)))
    assert log[-1]["squares"] < 0.2 * log[0]["squares"]
    assert seen[-1] == (200, 200)


class StoppedError(Exception):
    pass


def test_a_run_that_was_stopped_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    settings = LoopSettings(epochs=6, batch=8, rate=0.05, accumulate=2)
    whole = line(settings)
    whole.run()
    stopped = line(settings, tmp_path / "run")

    def stop(done: int, total: int | None) -> None:
        if done == 17:  # in the fourth epoch
            raise StoppedError

    with pytest.raises(StoppedError):
        stopped.run(stop)
    resumed = line(settings, tmp_path / "run")
    resumed.run()
    assert weights(resumed) == weights(whole)
    assert resumed.log == whole.log


def test_training_stops_when_validation_stops_rising_and_keeps_the_best() -> None:
    loop = line(LoopSettings(epochs=30, batch=40, rate=0.05, patience=3))
    values = iter([0.1, 0.5, 0.4, 0.3, 0.2])
    kept: list[list[float]] = []

    def validate() -> float:
        kept.append(weights(loop))
        return next(values)

    loop.validate = validate
    log = loop.run()
    assert [row["validation"] for row in log] == [0.1, 0.5, 0.4, 0.3, 0.2]
    assert weights(loop) == kept[1]


def test_a_loss_that_is_no_number_stops_with_the_place() -> None:
    loop = line(LoopSettings(epochs=1, batch=8))
    loop.objective.model = lambda inputs: inputs[:, :1] * float("nan")  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=r"epoch 0, batch 1 \(examples \[.*squares nan"):
        loop.run()


def test_a_checkpoint_of_another_model_is_refused(tmp_path: Path) -> None:
    line(LoopSettings(epochs=1), tmp_path / "run").run()
    other = nn.Linear(4, 1)
    with pytest.raises(InputError, match="not a checkpoint of this run"):
        Loop(other, Line(other), 4, LoopSettings(epochs=2), directory=tmp_path / "run").run()


def test_a_checkpoint_never_replaces_what_is_no_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"not ours: it has no state\.json of lexgear"):
        line(LoopSettings(epochs=1), tmp_path).run()
    assert (tmp_path / "notes.txt").read_text() == "mine"
