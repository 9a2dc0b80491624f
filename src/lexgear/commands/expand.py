"""The `expand` command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from lexgear.terminal import progress_bar


def expand(
    sheet: Annotated[Path, typer.Argument(help="Review sheet to add to; set accepted to yes in the rows you approve.")],
    model: Annotated[str, typer.Option(help="A checkpoint directory, or the URL of an OpenAI-compatible service.")],
    name: Annotated[str, typer.Option(help="Name of the model at that service.")] = "default",
    collection: Annotated[Path | None, typer.Option(help="A collection, for the charges of its law.")] = None,
    prompt: Annotated[Path | None, typer.Option(help="Prompt of your own; ours otherwise.")] = None,
) -> None:
    """Ask a language model to describe charges for f_R; only what a person accepts is used.

    The key of a service is read from the environment variable LEXGEAR_API_KEY.
    """
    from lexgear.rationale import expand as expansion
    from lexgear.rationale.definitions import charge_definitions

    served = expansion.language_model(model, name, os.environ.get("LEXGEAR_API_KEY", ""))
    template = expansion.prompt_template("zh", prompt)
    with progress_bar("Asking") as progress:
        added = expansion.expand(sheet, charge_definitions(collection), served, template, progress)
    print(f"{sheet}: {added:,} rows added; set accepted to yes in those you approve, then name it as --sheet")
