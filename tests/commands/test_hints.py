"""Hints name options and commands that exist."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from commands.conftest import Run
from lexgear.cli import COMMANDS, app
from lexgear.commands.hints import HINTS, find_hint
from lexgear.errors import ErrorCode, InputError

ROWS = [(command, code, hint) for code, rows in HINTS.items() for names, hint in rows.items() for command in names]


@pytest.mark.parametrize(("command", "code", "hint"), ROWS)
def test_a_hint_names_options_and_commands_that_exist(command: str, code: ErrorCode, hint: str) -> None:
    known: Any = typer.main.get_command(app)
    other = re.findall(r"lexgear (\w+)", hint)
    assert set(other) <= set(COMMANDS)
    options = {option for name in (command, *other) for one in known.commands[name].params for option in one.opts}
    assert set(re.findall(r"--\w[\w-]*", hint)) <= options
    assert find_hint(InputError("x", code=code), command) == hint


def test_an_error_without_a_hint_is_printed_as_it_is() -> None:
    assert find_hint(InputError("x", code=ErrorCode.TEXT_EMPTY), "search") == ""
    assert find_hint(InputError("x", code=ErrorCode.INVALID_FILTER), "check") == ""


def test_the_hint_follows_the_problem_on_the_same_line(run: Run) -> None:
    code, _, err = run("search", "nowhere", "--text", "x")
    assert (code, err) == (
        2,
        "lexgear: nowhere: no such index (check the path); `lexgear train` builds an index\n",
    )
    Path("nowhere").mkdir()
    assert run("train", "nowhere/else", "--out", "i")[2].endswith(
        "no such collection directory (check the path); `lexgear import` makes a collection from a data set\n"
    )
