"""Tests of `lexgear train`: interruption, resuming, early stopping."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from lexgear import api
from lexgear.cli import main
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import load_collection, save_collection
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.settings import configure, settings_row
from lexgear.training.checkpoint import Checkpoint
from training.small_collection import TINY, small_collection

SETTINGS = configure(GearSettings, **TINY | {"epochs": 12}, num_train_beams=2)
COMMAND = [
    *("train", "collection", "--out", "index", "--ranker", "gear"),
    *(f"--set={name}={value}" for name, value in settings_row(SETTINGS).items()),
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    save_collection(small_collection(), tmp_path / "collection", SkippedRecords())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def epochs_kept() -> int:
    try:
        return len(json.loads(Path("index.training/state.json").read_text())["log"])
    except FileNotFoundError:
        return 0


KILL = """
import os, signal, sys
from lexgear.cli import main
from lexgear.training.checkpoint import Checkpoint

write, epochs = Checkpoint.write, int(sys.argv.pop(1))

def killed(self, log, *, best):
    write(self, log, best=best)
    if len(log) == epochs:
        os.kill(os.getpid(), signal.SIGKILL)

Checkpoint.write = killed
main()
"""


def killed(after: int) -> str:
    """Run the command in a process that is killed after some epochs; return its standard error."""
    call = [sys.executable, "-c", KILL, str(after), *COMMAND]
    process = subprocess.run(call, capture_output=True, text=True, check=False)
    assert process.returncode == -signal.SIGKILL
    return process.stderr


@contextmanager
def control_c(monkeypatch: pytest.MonkeyPatch, after: int) -> Iterator[None]:
    """Send this process the signal of Ctrl-C after some epochs, even if it was started with the signal ignored."""
    write, before = Checkpoint.write, signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupted(self: Checkpoint, log: list[dict[str, float]], *, best: bool) -> None:
        write(self, log, best=best)
        if len(log) == after:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Checkpoint, "write", interrupted)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def train(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *more: str) -> tuple[int, str, str]:
    """Run the command in this process; return exit code, standard output and standard error."""
    monkeypatch.setattr(sys, "argv", ["lexgear", *COMMAND, *more])
    with pytest.raises(SystemExit) as stop:
        main()
    printed = capsys.readouterr()
    return int(stop.value.code or 0), printed.out, printed.err


def test_interrupted_training_ends_with_the_weights_of_uninterrupted_training(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with control_c(monkeypatch, after=2):
        code, _, said = train(capsys, monkeypatch)
    assert code == 130
    assert said == "lexgear: interrupted; the same command resumes after epoch 2 of 12\n"
    said = killed(after=4)
    assert said == "resuming after epoch 2 of 12\n"
    assert epochs_kept() == 4
    assert not Path("index").exists()
    code, out, err = train(capsys, monkeypatch)
    assert (code, err) == (0, "resuming after epoch 4 of 12\n")
    assert re.search(r"index: gear over 40 documents.*\ntrained on 21 labelled queries; held out: none\n", out)
    assert not Path("index.training").exists()
    api.train(load_collection(Path("collection")), Gear(SETTINGS), "whole")
    for part in ("model.safetensors", "training.jsonl", "training.svg"):
        assert Path("index", part).read_bytes() == Path("whole", part).read_bytes()


def stop_after_two_epochs() -> None:
    """Stop as a killed process would."""

    def stop(done: int, total: int | None, note: str = "") -> None:
        if note.startswith("epoch 3"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        api.train(load_collection(Path("collection")), Gear(SETTINGS), "index", stop)
    assert epochs_kept() == 2


def test_a_loss_that_is_not_a_number_is_a_one_line_error_and_keeps_the_checkpoint(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_after_two_epochs()
    weights = Path("index.training/weights.safetensors")
    tensors = load_file(weights)
    tensors["model.law_out.weight"] = torch.full_like(tensors["model.law_out.weight"], torch.inf)
    save_file(tensors, weights)
    code, _, err = train(capsys, monkeypatch)
    [resumed, line] = err.splitlines()
    assert code == 2
    assert resumed == "resuming after epoch 2 of 12"
    assert re.match(
        r"lexgear: training diverged at epoch 3, step 5 \(examples \[\d+, .*\]\): L_i nan, .*lower learning_rate", line
    )
    assert "kept in index.training" in line
    assert epochs_kept() == 2
    assert not Path("index").exists()


def test_the_checkpoint_of_another_run_is_refused_and_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_after_two_epochs()
    code, _, err = train(capsys, monkeypatch, "--set=learning_rate=0.001")
    assert code == 2
    assert re.fullmatch(r"lexgear: index\.training: the checkpoint of another training run .*remove it.*\n", err)
    assert epochs_kept() == 2


def test_early_stopping_prints_the_epoch_that_was_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = train(capsys, monkeypatch, "--set=patience=1", "--set=learning_rate=0.02", "--set=lambda_l=0")
    assert code == 0
    rows = [json.loads(line) for line in Path("index/training.jsonl").read_text().splitlines()]
    best = max(rows, key=lambda row: row["validation"])["epoch"]
    assert len(rows) == best + 1 < 12
    assert f"kept epoch {best}, the best of {best + 1} on validation" in out
