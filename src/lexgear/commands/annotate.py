"""The `annotate` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import InputError


def annotate(
    collection: Annotated[
        str | None, typer.Argument(help="sample, or a collection directory whose cases have charges.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Sheet to write (CSV); it must not be there yet.")] = None,
    samples: Annotated[int, typer.Option(min=1, help="How many cases to draw.")] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Of the drawing.")] = 0,
    score: Annotated[Path | None, typer.Option(help="A sheet that came back with both annotators' marks.")] = None,
) -> None:
    """Draw rationales into a sheet for two annotators; with --score, say how far they agree and what they found.

    Each annotator marks every row: 1 if the rationale suffices to tell the charges of the case, 0 if not.
    """
    from lexgear.evaluation.reproduce.data import load_data
    from lexgear.evaluation.reproduce.rationale.annotation import annotation_table, draw_sheet, read_marks

    if score is not None and collection is None and out is None:
        print(annotation_table(read_marks(score)).markdown(), end="")
        return
    if score is not None or collection is None or out is None:
        raise InputError("annotate takes either a collection with --out, or --score with a sheet")
    drawn = draw_sheet(load_data(collection), out, samples, seed)
    fewer = "" if drawn == samples else ", all that have a text and charges"
    print(
        f"{out}: {drawn:,} samples{fewer}; both annotators mark each row with 1 or 0, then --score says what it gives"
    )
