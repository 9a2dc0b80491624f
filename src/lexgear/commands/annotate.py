"""The `annotate` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import counted


def annotate(
    collection: Annotated[
        str | None, typer.Argument(help="`sample`, or a collection directory whose cases have charges.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="CSV sheet to write; must not exist yet.")] = None,
    samples: Annotated[int, typer.Option(min=1, help="Number of cases to draw.")] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    score: Annotated[Path | None, typer.Option(help="Sheet that both annotators have filled in.")] = None,
) -> None:
    """Draw rationales into a sheet for two annotators, or score a sheet that they have filled in.

    Each annotator marks every row: 1 if the rationale is sufficient to determine the charges of the case, 0 if not.
    With --score the command prints the share of sufficient rationales and the agreement of the annotators.
    """
    from lexgear.evaluation.reproduce.data import load_data
    from lexgear.evaluation.reproduce.rationale.annotation import annotation_table, draw_sheet, read_marks

    if score is not None and collection is None and out is None:
        print(annotation_table(read_marks(score)).markdown(), end="")
        return
    if score is not None or collection is None or out is None:
        raise InputError("give either a collection and --out, or --score", code=ErrorCode.USAGE)
    drawn = draw_sheet(load_data(collection), out, samples, seed)
    fewer = "" if drawn == samples else " (all cases with a text and charges)"
    print(f"{out}: {counted(drawn, 'sample')}{fewer}; both annotators mark each row with 1 or 0, then run --score")
