"""Commands about f_R: what matters in a text, and descriptions of charges that say so."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from lexgear.display import console, progress_bar
from lexgear.errors import InputError


def rationale(
    collection: Annotated[
        Path | None, typer.Argument(help="A collection, for its law's definitions and its documents.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="One undecided case, given here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --text: print JSON with spans and scores.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="JSON lines with the rationales of all documents and queries.")
    ] = None,
    sheet: Annotated[Path | None, typer.Option(help="Review sheet of lexgear expand; accepted rows enter.")] = None,
) -> None:
    """Show which words and sentences of a case matter, and for which charge (f_R of the paper)."""
    from lexgear.corpus.store import load_collection
    from lexgear.files import dumps
    from lexgear.rationale.expand import accepted
    from lexgear.rationale.lexicon import Lexicon
    from lexgear.rationale.show import picked, write_rationales

    if (text is None) == (out is None) or (out is not None and collection is None):
        raise InputError("rationale takes either --text, or a collection with --out")
    loaded = None if collection is None else load_collection(collection)
    more = accepted(sheet) if sheet else {}
    lexicon = Lexicon.from_charges(_definitions(collection), loaded.language if loaded else "zh", more)
    if loaded is not None and out is not None:
        with progress_bar("Extracting") as progress:
            count = write_rationales(out, loaded, lexicon, progress)
        print(f"{out}: {count:,} rationales")
        return
    rows, shown = picked(lexicon, str(text))
    if as_json:
        print(dumps(rows))
    else:
        console().print(shown)


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

    served = expansion.language_model(model, name, os.environ.get("LEXGEAR_API_KEY", ""))
    template = expansion.prompt_template("zh", prompt)
    with progress_bar("Asking") as progress:
        added = expansion.expand(sheet, _definitions(collection), served, template, progress)
    print(f"{sheet}: {added:,} rows added; set accepted to yes in those you approve, then name it as --sheet")


def _definitions(collection: Path | None) -> dict[str, str]:
    """Official names and definitions of the charges: a collection's, or those that ship (46 have a definition)."""
    from lexgear.corpus.sample.cases_law import sample_law
    from lexgear.corpus.store import read_law
    from lexgear.law.shipped import chinese_criminal_law

    laws = [chinese_criminal_law(), sample_law()] if collection is None else [read_law(collection / "law.json")]
    return {node.number: node.text for law in laws for node in law.of_kind("charge")}
