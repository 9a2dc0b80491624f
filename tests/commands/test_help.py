"""Help pages: names and defaults are complete, and nothing heavy is imported."""

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import fields

import pytest
import typer
from typer.testing import CliRunner

from lexgear.cli import COMMANDS, app
from lexgear.corpus.datasets.registry import DATASETS
from lexgear.evaluation.evaluate import DEFAULT_MEASURES
from lexgear.rankers.registry import RANKERS
from lexgear.serve.settings import Limits

HEAVY = ("torch", "transformers", "scipy", "numpy", "ir_measures", "fastapi")
PRINT_HELP = f"""
import sys
from lexgear.cli import app
try:
    app(sys.argv[1:])
except SystemExit:
    pass
print([name for name in {HEAVY} if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("command", "names"),
    [("train", RANKERS), ("import", DATASETS), ("serve", [limit.name for limit in fields(Limits)])],
)
def test_help_lists_every_name_whenever_it_is_asked_for(command: str, names: Iterable[str]) -> None:
    for _ in range(2):
        printed = CliRunner().invoke(app, [command, "--help"]).output
        said = printed.replace(",", " ").replace(".", " ").split()
        assert set(names) <= set(said)
        assert "{" not in printed.split("Arguments")[1]


def defaults_in_words() -> list[tuple[str, str]]:
    """Return the defaults that a help text states in words, with their commands."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return [
        (name, parameter.show_default)
        for name in COMMANDS
        for parameter in commands[name].params
        if isinstance(parameter.show_default, str)
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_prints_every_default_that_is_stated_in_words(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    printed = CliRunner().invoke(app, [command, "--help"]).output
    for name, default in defaults_in_words():
        assert name != command or f"[default: ({default})]" in printed


@pytest.mark.parametrize("command", COMMANDS)
def test_paragraphs_are_wrapped_to_the_width_of_the_terminal(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    printed = CliRunner().invoke(app, [command, "--help"]).output
    described, *_ = printed.split("╭")
    paragraphs = (COMMANDS[command].__doc__ or "").split("\n\n")
    assert len([line for line in described.splitlines() if line.strip()]) == 1 + len(paragraphs)


def test_no_help_text_has_brackets_which_are_printed_as_markup() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    helps = {(name, one.name): str(one.help) for name in COMMANDS for one in commands[name].params}
    assert [place for place, text in helps.items() if "[" in text] == []


def test_the_help_of_evaluate_states_the_default_measures() -> None:
    assert ("evaluate", ",".join(DEFAULT_MEASURES)) in defaults_in_words()


@pytest.mark.parametrize("arguments", [("--help",), ("import", "--help"), ("train", "--help"), ("serve", "--help")])
def test_help_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-c", PRINT_HELP, *arguments], capture_output=True, text=True, check=True)
    assert "Usage: " in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"
