"""Command line: a table from command to function. Commands import what is heavy when they run."""

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
    compact,
    convert,
    crossvalidate,
    demo,
    evaluate,
    expand,
    help,
    import_,
    judge,
    law,
    pretrain,
    rationale,
    remove,
    report,
    reproduce,
    search,
    serve,
    settings,
    shard,
    train,
    tune,
)
from lexgear.commands.hints import find_hint
from lexgear.errors import InputError

app = typer.Typer(
    help="lexgear retrieves legal documents and predicts the judgment in one walk down the law.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run a command. Bad input and bad usage print one line to standard error and exit with code 2."""
    # OpenMP reads this when torch is imported. Threads that wait actively spend 5 to 8 times the CPU on a busy machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        code = app(standalone_mode=False)
        print(end="", flush=True)
    except InputError as error:
        hint = find_hint(error, _command())
        _stop(f"{error}; {hint}" if hint else str(error))
    except TyperException as error:
        if not (problem := error.format_message()):
            sys.exit(error.exit_code)  # without a command the help has been printed already
        _stop(f"{problem} (see `lexgear {_command() or 'COMMAND'} --help`)")
    except OSError as error:
        if error.filename is not None:
            raise
        # Only writing to standard output fails without a file name. Drop what is left in its buffer.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(1)  # the reader has closed the pipe, as in `lexgear search … | head`
        _stop(f"standard output cannot be written: {error.strerror} (is the disk full?)")
    else:
        sys.exit(code)


def _command() -> str:
    """Return the command of this call; an empty text if there is none of that name."""
    return next((word for word in sys.argv[1:] if word in COMMANDS), "")


def _stop(problem: str) -> NoReturn:
    print(f"lexgear: {' '.join(problem.split())}", file=sys.stderr)
    sys.exit(2)


def _version(wanted: bool) -> None:
    if wanted:
        from lexgear import __version__

        print(f"lexgear {__version__}")
        raise typer.Exit


@app.callback()
def _app(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", callback=_version)] = False,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads of the model, before the command; one per core if not given.")
    ] = None,
) -> None:
    if threads is not None:
        os.environ["OMP_NUM_THREADS"] = str(threads)  # read when torch is imported, which commands do


COMMANDS: dict[str, Callable[..., None]] = {
    "demo": demo.demo,
    "import": import_.import_,
    "convert": convert.convert,
    "pretrain": pretrain.pretrain,
    "train": train.train,
    "settings": settings.settings,
    "tune": tune.tune,
    "add": add.add,
    "remove": remove.remove,
    "compact": compact.compact,
    "shard": shard.shard,
    "search": search.search,
    "judge": judge.judge,
    "report": report.report,
    "evaluate": evaluate.evaluate,
    "crossvalidate": crossvalidate.crossvalidate,
    "reproduce": reproduce.reproduce,
    "check": check.check,
    "law": law.law,
    "rationale": rationale.rationale,
    "expand": expand.expand,
    "annotate": annotate.annotate,
    "serve": serve.serve,
}

for _name, _function in COMMANDS.items():
    app.command(_name, cls=help.CommandWithNames)(_function)
