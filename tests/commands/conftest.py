"""The command line called as a user calls it, in a directory of the test's own."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lexgear.cli import main

Run = Callable[..., tuple[int, str, str]]
"""Exit code, what stands on the screen, what on standard error."""


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
