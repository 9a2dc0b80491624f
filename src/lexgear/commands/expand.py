"""The `expand` command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from lexgear.terminal import progress_bar


def expand(
    sheet: Annotated[Path, typer.Argument(help="Review sheet (CSV); rows are appended.")],
    model: Annotated[str, typer.Option(help="Checkpoint directory, or URL of an OpenAI-compatible service.")],
    name: Annotated[str, typer.Option(help="Name of the model at the service.")] = "default",
    collection: Annotated[
        Path | None, typer.Option(help="Collection whose law names the charges.", show_default="Chinese Criminal Law")
    ] = None,
    prompt: Annotated[Path | None, typer.Option(help="File with a prompt of your own.")] = None,
) -> None:
    """Ask a language model to describe charges, for rationale extraction.

    Only rows in which a person sets `accepted` to yes are used. The API key of the service is read from the environment
    variable LEXGEAR_API_KEY.
    """
    from lexgear.corpus.store import read_law
    from lexgear.law.shipped import chinese_criminal_law
    from lexgear.rationale import expand as expansion
    from lexgear.rationale.definitions import charge_definitions

    served = expansion.language_model(model, name, os.environ.get("LEXGEAR_API_KEY", ""))
    template = expansion.prompt_template("zh", prompt)
    law = read_law(collection / "law.json") if collection else chinese_criminal_law()
    with progress_bar("Asking the model") as progress:
        added = expansion.expand(sheet, charge_definitions(law), served, template, progress)
    print(f"{sheet}: {added:,} rows added; set accepted to yes in those you approve, then use the file:")
    print(f"  lexgear rationale --sheet {sheet} …, or lexgear train … --set descriptions={sheet}")
