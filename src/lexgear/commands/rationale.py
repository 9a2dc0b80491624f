"""The `rationale` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import console, progress_bar


def rationale(
    collection: Annotated[
        Path | None, typer.Argument(help="Collection directory, for the charge definitions of its law and its texts.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="Facts of one case.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON with spans and scores, with --text.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="JSON lines file to write, with the rationales of all documents and queries.")
    ] = None,
    sheet: Annotated[
        Path | None, typer.Option(help="Review sheet of lexgear expand; its accepted rows are used.")
    ] = None,
    definitions: Annotated[
        Literal["book", "law"],
        typer.Option(help="Definitions of the charges: charge book, or text of the law."),
    ] = "book",
) -> None:
    """Extract the rationale of a case: the words and sentences that matter, and for which charge (f_R of the paper)."""
    from lexgear.corpus.store import load_collection
    from lexgear.files import dumps
    from lexgear.law.shipped import chinese_criminal_law
    from lexgear.rationale.definitions import charge_lexicon
    from lexgear.rationale.expand import accepted
    from lexgear.rationale.show import picked, write_rationales

    if (text is None) == (out is None) or (out is not None and collection is None):
        raise InputError("give either --text, or a collection and --out", code=ErrorCode.USAGE)
    loaded = None if collection is None else load_collection(collection)
    law, language = (loaded.law, loaded.language) if loaded else (chinese_criminal_law(), "zh")
    lexicon = charge_lexicon(law, language, definitions, accepted(sheet) if sheet else {})
    if loaded is not None and out is not None:
        with progress_bar("Extracting rationales") as progress:
            count = write_rationales(out, loaded, lexicon, progress)
        print(f"{out}: {count:,} rationales")
        return
    rows, shown = picked(lexicon, str(text))
    if as_json:
        print(dumps(rows))
    else:
        console().print(shown)
