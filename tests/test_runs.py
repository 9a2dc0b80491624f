"""Tests of the scripts in runs/."""

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer

from lexgear.cli import app
from lexgear.evaluation.reproduce.overrides import check_overrides, read_overrides
from lexgear.evaluation.reproduce.recipe import recipes
from lexgear.settings import settings_row

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


@pytest.fixture(scope="module")
def closed_pools(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """Return the calls of lexgear by runs/closed-pools.sh, with empty directories as checkpoints `bge` and `e5`."""
    place = tmp_path_factory.mktemp("closed-pools")
    stand_in, log = place / "bin" / "lexgear", place / "calls"
    for directory in ("bin", "bge", "e5"):
        (place / directory).mkdir()
    code = f"import json, sys\nwith open({str(log)!r}, 'a') as file:\n    print(json.dumps(sys.argv[1:]), file=file)\n"
    stand_in.write_text(f"#!{sys.executable}\n{code}", encoding="utf-8")
    stand_in.chmod(0o755)
    path = f"{stand_in.parent}{os.pathsep}{os.environ['PATH']}"
    words = [str(ROOT / "runs" / "closed-pools.sh"), "DATA", str(place / "bge"), str(place / "e5")]
    subprocess.run(words, cwd=place, env=os.environ | {"PATH": path}, check=True)
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def values_of(option: str, words: list[str]) -> list[str]:
    return [value for name, value in pairwise(words) if name == option]


def test_every_recipe_accepts_the_options_of_the_closed_pools_script(closed_pools: list[list[str]]) -> None:
    known: Any = typer.main.get_command(app)
    made = {"lecard": "lecard-closed", "bsard": "bsard-rebuilt-closed"}
    assert [words[1] for words in closed_pools if words[0] == "import"] == list(made)
    sections = re.findall(r"^<!-- (?!end of)(.*) -->", (ROOT / "docs/tables/closed-pools.md").read_text("utf-8"), re.M)
    called = [words for words in closed_pools if words[0] == "reproduce"]
    assert len(called) == len(sections)
    for words, section in zip(called, sections, strict=True):
        recipe, collection = section.split()
        assert (words[1], made[Path(values_of("--data", words)[0]).name.removesuffix("-closed")]) == (
            recipe,
            collection,
        )
        options = {option for parameter in known.commands["reproduce"].params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options
        overrides = read_overrides(values_of("--backbone", words), values_of("--set", words))
        systems = [recipes().system(name) for name in recipes().recipe(recipe).systems]
        check_overrides(replace(recipes().profiles[collection], overrides=overrides), systems)


def test_the_closed_pools_script_has_the_settings_of_the_results_in_the_documentation(
    closed_pools: list[list[str]],
) -> None:
    compared = set()
    for words in (words for words in closed_pools if words[0] == "reproduce"):
        recipe = recipes().recipe(words[1])
        collection = "bsard-rebuilt-closed" if "bsard" in values_of("--data", words)[0] else "lecard-closed"
        overrides = read_overrides(values_of("--backbone", words), values_of("--set", words))
        profile = replace(recipes().profiles[collection], overrides=overrides)
        folders = f"{collection}-*" if recipe.kind == "learning-curve" else collection
        for path in (ROOT / "docs/results").glob(f"{folders}/*.json"):
            result = json.loads(path.read_text(encoding="utf-8"))
            stored = result["facts"]["settings"]
            if result["system"] not in recipe.systems or stored.get("backbone") not in ("bge", "e5"):
                continue
            ranker = recipes().system(result["system"]).make_ranker(result["seed"], profile)
            now = settings_row(ranker.settings) | {"backbone": Path(ranker.settings.backbone).name}
            assert {name: now[name] for name in stored if name in now} == stored, path
            compared.add(path)
    assert len(compared) >= 80
