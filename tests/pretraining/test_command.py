"""The `pretrain` command."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lexgear.cli import main
from lexgear.pretraining.base import load_base
from lexgear.pretraining.data.prepare import Sources
from pretraining.small import SETTINGS

KILL = """
import os, signal
from lexgear.cli import main
from lexgear.pretraining.learning.checkpoint import Checkpoint

write = Checkpoint.write

def killed(self, position, model, optimiser):
    write(self, position, model, optimiser)
    os.kill(os.getpid(), signal.SIGKILL)

Checkpoint.write = killed
main()
"""
"""Program that is killed after its first checkpoint."""
SMALL = [
    f"{name}={getattr(SETTINGS, name)}"
    for name in SETTINGS.__slots__
    if name not in {"steps", "checkpoint_every", "seed"}
]


def arguments(sources: Sources, out: Path) -> list[str]:
    settings = [part for one in [*SMALL, "steps=5", "checkpoint_every=2"] for part in ("--set", one)]
    paths = [str(sources.collections[0]), "--statute", str(sources.statutes[0]), "--out", str(out)]
    return ["pretrain", *paths, *settings]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["lexgear", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def weights(base: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in base.glob("model*.safetensors")}


def test_a_killed_command_given_again_ends_with_the_weights_of_one_that_was_not(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert run(monkeypatch, *arguments(sources, whole)) == 0
    said = capsys.readouterr().out
    assert "sample-zh: 1" in said
    assert "refused: not a training query" in said
    assert f"{whole}: 5 steps, " in said
    assert "held-out cases: first charge correct 0." in said

    code = [sys.executable, "-c", KILL, *arguments(sources, killed)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.run(code, env=environment, stderr=subprocess.DEVNULL, check=False)
    state = tmp_path / "killed.training" / "state.json"
    assert process.returncode == -signal.SIGKILL
    assert not killed.exists()
    done = json.loads(state.read_text())["step"]

    assert run(monkeypatch, *arguments(sources, killed)) == 0
    printed = capsys.readouterr()
    assert f"resuming after step {done}" in printed.err
    assert weights(killed) == weights(whole)
    assert not state.parent.exists()
    assert load_base(killed).about["steps"] == 5

    # The prepared data alone is enough, for example after copying it from another machine.
    (tmp_path / "whole.prepared").rename(tmp_path / "brought.prepared")
    settings = arguments(sources, tmp_path / "brought")[2:]
    statute = settings.index("--statute")
    assert run(monkeypatch, "pretrain", *settings[:statute], *settings[statute + 2 :]) == 0
    assert weights(tmp_path / "brought") == weights(whole)


def test_bad_input_is_one_line(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for more, said in (
        (["--set", "stepz=3"], "no setting named 'stepz'"),
        (["--set", "batch"], "'batch' is not key=value"),
        (["--set", "dropout=2"], "setting dropout: 2.0 is out of range (from 0 to 0.999)"),
        (["--hold-out", str(tmp_path / "missing.jsonl")], "missing.jsonl: no such file"),
    ):
        assert run(monkeypatch, *arguments(sources, tmp_path / "out"), *more) == 2
        [line] = capsys.readouterr().err.splitlines()
        assert said in line
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    assert run(monkeypatch, *arguments(sources, tmp_path / "mine")) == 2
    assert "not written by lexgear" in capsys.readouterr().err
