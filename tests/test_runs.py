"""Tests of the scripts in runs/."""

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer

from lexgear.cli import app

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = sorted((ROOT / "runs").glob("paper-*.sh"))


def commands(script: Path) -> list[list[str]]:
    """Return the calls of lexgear in a script, as words."""
    text = script.read_text(encoding="utf-8").replace("\\\n", " ")
    return [shlex.split(line) for line in re.findall(r"^lexgear .*", text, flags=re.MULTILINE)]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_valid_and_prints_its_usage_without_arguments(script: Path, tmp_path: Path) -> None:
    subprocess.run(["bash", "-n", script], check=True)
    assert "set -euo pipefail" in script.read_text(encoding="utf-8")
    called = subprocess.run([script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert called.returncode == 2
    assert called.stderr.startswith(f"usage: runs/{script.name} DATA BACKBONE")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_uses_commands_and_options_that_exist(script: Path) -> None:
    known: Any = typer.main.get_command(app)
    called = commands(script)
    assert [name for _, name, *_ in called] == ["import", *["train", "search"] * 2, "evaluate"]
    for _, name, *words in called:
        options = {option for parameter in known.commands[name].params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options
    configs = re.findall(r"configs/[\w.-]+", script.read_text(encoding="utf-8"))
    assert configs == [f"configs/{script.stem}.toml"]
    assert (ROOT / configs[0]).is_file()


def test_the_calibration_script_judges_both_data_sets_with_options_that_exist(tmp_path: Path) -> None:
    script = ROOT / "runs" / "calibration.sh"
    called = subprocess.run([script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (called.returncode, called.stderr) == (2, "usage: runs/calibration.sh DATA [MODEL [OUT]]\n")
    text = script.read_text(encoding="utf-8")
    assert "for name in cail2018 lecard; do" in text
    known: Any = typer.main.get_command(app)
    for command in ("import", "judge"):
        [words] = re.findall(rf"lexgear {command} (.*)$", text, flags=re.MULTILINE)
        options = {option for parameter in known.commands[command].params for option in parameter.opts}
        assert set(re.findall(r"--[\w-]+", words)) <= options


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_python_inside_a_script_compiles_and_imports_what_exists(script: Path) -> None:
    for code in re.findall(r"<<'PYTHON'\n(.*?)^PYTHON$", script.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        compile(code, script, "exec")
        exec("\n".join(re.findall(r"^(?:from|import) .*", code, flags=re.MULTILINE)), {})
