from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lexgear.errors import InputError
from lexgear.training.loop import DivergedError, Loop, LoopSettings, append_stage
from lexgear.training.workspace import Workspace

INPUTS = torch.randn(40, 3, generator=torch.Generator().manual_seed(1))
TARGETS = INPUTS @ torch.tensor([[1.0], [-2.0], [0.5]])


class Line:
    """Linear regression with dropout, so that the random state matters."""

    def __init__(self, model: nn.Module, dropout: float = 0.1) -> None:
        self.model, self.dropout = model, dropout
        self.tokens = 0

    def losses(self, batch: NDArray[np.int64], rng: np.random.Generator) -> dict[str, Tensor]:
        self.tokens += 10 * len(batch)
        guess = self.model(nn.functional.dropout(INPUTS[batch], self.dropout))
        return {"squares": ((guess - TARGETS[batch]) ** 2).mean()}


def line(settings: LoopSettings, directory: Path | None = None) -> Loop:
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    workspace = Workspace(directory, "this run") if directory else None
    return Loop(model, Line(model), len(INPUTS), settings, workspace=workspace)


def weights(loop: Loop) -> list[float]:
    return torch.cat([value.flatten() for value in loop.model.state_dict().values()]).tolist()


def test_a_line_is_learnt_and_the_losses_are_logged() -> None:
    loop = line(LoopSettings(epochs=40, batch_size=8, learning_rate=0.1))
    seen: list[tuple[int, int | None]] = []
    notes: list[str] = []

    def watch(done: int, total: int | None, note: str = "") -> None:
        seen.append((done, total))
        notes.append(note)

    log = loop.run(watch)
    assert [row["epoch"] for row in log] == list(range(1, 41))
    assert log[-1]["squares"] < 0.2 * log[0]["squares"]
    assert max(row["rate"] for row in log) == pytest.approx(0.1, rel=0.01)
    assert log[-1]["rate"] < 0.001
    assert [(row["steps"], row["tokens"]) for row in log[:2]] == [(5, 400), (10, 800)]
    assert seen[-1] == (200, 200)
    assert notes[-1] == f"epoch 40/40 squares {log[-1]['squares']:.4g}"


class StoppedError(Exception):
    pass


def test_a_run_that_was_stopped_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    settings = LoopSettings(epochs=6, batch_size=8, learning_rate=0.05, gradient_accumulation=2)
    whole = line(settings)
    whole.run()
    stopped = line(settings, tmp_path / "run")

    def stop(done: int, total: int | None, note: str = "") -> None:
        if done == 17:  # in the fourth epoch
            raise StoppedError

    with pytest.raises(StoppedError):
        stopped.run(stop)
    resumed = line(settings, tmp_path / "run")
    resumed.run()
    assert weights(resumed) == weights(whole)
    assert resumed.log == whole.log
    assert whole.log[-1]["steps"] == 18  # three per epoch: 2 + 2 + 1 batches
    assert whole.log[-1]["tokens"] == 2400


def two_layers(settings: LoopSettings, directory: Path | None = None) -> Loop:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1))
    workspace = Workspace(directory, "this run") if directory else None
    return Loop(model, Line(model), len(INPUTS), settings, workspace=workspace, pretrained=[model[0]])


def test_new_weights_learn_at_their_own_rate_and_a_stopped_run_goes_on_exactly(tmp_path: Path) -> None:
    settings = LoopSettings(epochs=3, batch_size=8, learning_rate=1e-5, new_learning_rate=0.05)
    whole, stopped = two_layers(settings), two_layers(settings, tmp_path / "run")
    start = {name: value.clone() for name, value in whole.model.state_dict().items()}
    whole.run()
    moved = {name: (value - start[name]).abs().max().item() for name, value in whole.model.state_dict().items()}
    assert max(moved["0.weight"], moved["0.bias"]) < 2e-4  # at most one rate per step
    assert min(moved["1.weight"], moved["1.bias"]) > 0.05
    assert max(row["rate"] for row in whole.log) <= 1e-5

    def stop(done: int, total: int | None, note: str = "") -> None:
        if done == 7:  # in the second epoch
            raise StoppedError

    with pytest.raises(StoppedError):
        stopped.run(stop)
    resumed = two_layers(settings, tmp_path / "run")
    resumed.run()
    assert weights(resumed) == weights(whole)
    assert resumed.log == whole.log


def test_the_log_of_a_second_stage_counts_on_from_the_first() -> None:
    first, second = (line(LoopSettings(epochs=epochs, batch_size=8)).run() for epochs in (2, 3))
    both = append_stage(append_stage([], first), second)
    assert [row["epoch"] for row in both] == [1, 2, 3, 4, 5]
    assert [row["steps"] for row in both] == [5, 10, 15, 20, 25]
    assert [row["tokens"] for row in both] == [400, 800, 1200, 1600, 2000]
    assert [row["squares"] for row in both] == [row["squares"] for row in [*first, *second]]


def test_training_stops_when_validation_stops_rising_and_keeps_the_best() -> None:
    loop = line(LoopSettings(epochs=30, batch_size=40, learning_rate=0.05, patience=3))
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
    loop = line(LoopSettings(epochs=1, batch_size=8))
    loop.objective.model = lambda inputs: inputs[:, :1] * float("nan")  # type: ignore[attr-defined]
    with pytest.raises(DivergedError, match=r"epoch 1, step 1 \(examples \[.*squares nan"):
        loop.run()


def test_a_gradient_that_is_no_number_stops_before_it_reaches_the_weights() -> None:
    loop = line(LoopSettings(epochs=1, batch_size=40))
    loop.objective.model = lambda inputs: (loop.model(inputs) * 0).sqrt()  # type: ignore[attr-defined]
    with pytest.raises(DivergedError, match=r"epoch 1, step 1 .*squares \d.*gradient nan"):
        loop.run()
    assert np.isfinite(weights(loop)).all()


def test_two_half_batches_accumulated_are_one_whole_batch() -> None:
    def learnt(batch: int, accumulate: int) -> list[float]:
        loop = line(LoopSettings(epochs=3, batch_size=batch, learning_rate=0.05, gradient_accumulation=accumulate))
        loop.objective.dropout = 0.0  # type: ignore[attr-defined]
        loop.run()
        return weights(loop)

    assert learnt(batch=4, accumulate=2) == pytest.approx(learnt(batch=8, accumulate=1), abs=1e-6)
    # The last accumulation is short.
    assert learnt(batch=5, accumulate=9) == pytest.approx(learnt(batch=40, accumulate=1), abs=1e-6)


def test_without_patience_nothing_is_validated_and_the_last_weights_stay() -> None:
    loop = line(LoopSettings(epochs=2))
    loop.validate = lambda: 1 / 0
    assert all("validation" not in row for row in loop.run())


def test_a_run_that_stopped_early_stays_stopped_when_resumed(tmp_path: Path) -> None:
    settings = LoopSettings(epochs=30, batch_size=40, learning_rate=0.05, patience=2)
    first, again = line(settings, tmp_path / "run"), line(settings, tmp_path / "run")
    values = iter([0.5, 0.4, 0.4])
    first.validate = lambda: next(values)
    first.run()
    again.validate = lambda: 1 / 0
    assert again.run() == first.log
    assert weights(again) == weights(first)


def test_a_checkpoint_of_another_model_is_refused(tmp_path: Path) -> None:
    line(LoopSettings(epochs=1), tmp_path / "run").run()
    other = nn.Linear(4, 1)
    with pytest.raises(InputError, match="damaged checkpoint"):
        Loop(other, Line(other), 4, LoopSettings(epochs=2), workspace=Workspace(tmp_path / "run", "this run")).run()


def test_a_checkpoint_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    line(LoopSettings(epochs=1), tmp_path / "run").run()
    whole = (tmp_path / "run" / "weights.safetensors").read_bytes()
    (tmp_path / "run" / "weights.safetensors").write_bytes(whole[:-9])
    with pytest.raises(InputError, match="damaged checkpoint"):
        line(LoopSettings(epochs=2), tmp_path / "run").run()


def test_a_checkpoint_never_replaces_what_is_no_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"not written by lexgear \(no state\.json in it\)"):
        line(LoopSettings(epochs=1), tmp_path).run()
    assert (tmp_path / "notes.txt").read_text() == "mine"
