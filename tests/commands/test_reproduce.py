"""The `reproduce` command."""

from typing import NoReturn

import pytest

from commands.conftest import Run


def test_an_interrupted_command_says_that_it_resumes(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("lexgear.evaluation.reproduce.runner.run_recipe", interrupted)
    code, _, err = run("reproduce", "table-datasets", "--data", "tiny", "--runs", "runs")
    assert code == 130
    assert "lexgear: interrupted; finished runs are in runs, and the same command resumes" in err
