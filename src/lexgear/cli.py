"""The command line: a thin table from command to function. Heavy imports happen inside the commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from lexgear.commands import (
    add,
    annotate,
    check,
    crossvalidate,
    demo,
    evaluate,
    expand,
    help,
    import_,
    judge,
    pretrain,
    rationale,
    remove,
    report,
    reproduce,
    search,
    serve,
    settings,
    train,
    tune,
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
    "demo": demo.demo,
    "import": import_.import_,
    "pretrain": pretrain.pretrain,
    "train": train.train,
    "settings": settings.settings,
    "tune": tune.tune,
    "add": add.add,
    "remove": remove.remove,
    "search": search.search,
    "judge": judge.judge,
    "report": report.report,
    "evaluate": evaluate.evaluate,
    "crossvalidate": crossvalidate.crossvalidate,
    "reproduce": reproduce.reproduce,
    "check": check.check,
    "rationale": rationale.rationale,
    "expand": expand.expand,
    "annotate": annotate.annotate,
    "serve": serve.serve,
}

for _name, _command in COMMANDS.items():
    app.command(_name, cls=help.Listing)(_command)
