"""The command line: a thin table from command to function. Heavy imports happen inside the commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from lexgear.commands import (
    annotating,
    answers,
    collections,
    growing,
    indexes,
    listing,
    measuring,
    pretraining,
    rationales,
    reporting,
    reproducing,
    serving,
    showing,
    tuning,
)
from lexgear.errors import InputError

app = typer.Typer(
    help="lexgear retrieves legal documents and predicts the judgment in one walk down the law.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Runs a command; bad input and bad usage are one line on standard error and exit code 2."""
    try:
        code = app(standalone_mode=False)
        print(end="", flush=True)
    except InputError as error:
        _stop(error)
    except TyperException as error:
        if not (problem := error.format_message()):
            sys.exit(error.exit_code)  # no command was given, and the help stands on the screen already
        _stop(InputError(problem, remedy="`lexgear COMMAND --help` says what it takes"))
    except OSError as error:
        if error.filename is not None:
            raise
        # Only standard output is written to without a name; what is left in its buffer goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(1)  # whoever read it has seen enough, as in `lexgear search … | head`
        _stop(InputError(f"standard output cannot be written: {error.strerror}", remedy="is the disk full?"))
    else:
        sys.exit(code)


def _stop(error: InputError) -> NoReturn:
    print(f"lexgear: {error}", file=sys.stderr)
    sys.exit(2)


def _version(wanted: bool) -> None:
    if wanted:
        from lexgear import __version__

        print(f"lexgear {__version__}")
        raise typer.Exit


@app.callback()
def _app(
    version: Annotated[bool, typer.Option("--version", help="Show the version.", callback=_version)] = False,
) -> None:
    pass


COMMANDS: dict[str, Callable[..., None]] = {
    "demo": showing.demo,
    "import": collections.import_,
    "pretrain": pretraining.pretrain,
    "train": indexes.train,
    "tune": tuning.tune,
    "add": growing.add,
    "remove": growing.remove,
    "search": answers.search,
    "judge": answers.judge,
    "report": reporting.report,
    "evaluate": measuring.evaluate,
    "crossvalidate": measuring.crossvalidate,
    "reproduce": reproducing.reproduce,
    "check": indexes.check,
    "rationale": rationales.rationale,
    "expand": rationales.expand,
    "annotate": annotating.annotate,
    "serve": serving.serve,
}

for _name, _command in COMMANDS.items():
    app.command(_name, cls=listing.Listing)(_command)
