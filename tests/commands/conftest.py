"""Fixture that runs commands in a temporary directory."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lexgear.cli import main

Run = Callable[..., tuple[int, str, str]]
"""Runs a command and returns exit code, standard output and standard error."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["lexgear", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return call
