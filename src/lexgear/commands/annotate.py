"""The `annotate` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import counted, progress_bar


def annotate(
    collection: Annotated[
        str | None, typer.Argument(help="`sample`, or a collection directory whose cases have charges.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="CSV sheet to write; must not exist yet.")] = None,
    samples: Annotated[int, typer.Option(min=1, help="Number of cases to draw.")] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    summariser: Annotated[
        str, typer.Option(help="Directory or hub name of a language model whose summaries are drawn too.")
    ] = "",
    score: Annotated[Path | None, typer.Option(help="Sheet that both annotators have filled in.")] = None,
) -> None:
    """Draw rationales into a sheet for two annotators, or score a sheet that they have filled in.

    Every case is drawn once per method of the paper: its first tokens, a generated query (a generator is trained on
    the collection first), a summary by a language model if --summariser names one, and f_R. Each annotator marks every
    row: 1 if the rationale is sufficient to determine the charges of the case, 0 if not. With --score the command
    prints the share of sufficient rationales of each method and the agreement of the annotators.
    """
    from lexgear.evaluation.reproduce.data import load_data
    from lexgear.evaluation.reproduce.rationale.annotation import (
        annotation_table,
        check_sheet,
        draw_cases,
        read_marks,
        write_sheet,
    )
    from lexgear.evaluation.reproduce.rationale.models import rationale_methods
    from lexgear.evaluation.reproduce.recipe import recipes

    if score is not None and collection is None and out is None:
        print(annotation_table(read_marks(score)).markdown(), end="")
        return
    if score is not None or collection is None or out is None:
        raise InputError("give either a collection and --out, or --score", code=ErrorCode.USAGE)
    check_sheet(out)
    loaded = load_data(collection)
    drawn = draw_cases(loaded, samples, seed)
    with progress_bar("Training the query generator") as progress:
        methods = rationale_methods(loaded, recipes(), summariser, progress)
    rows = write_sheet(out, drawn, methods, seed)
    fewer = "" if len(drawn) == samples else " (all cases with a text and charges)"
    how = f"{counted(rows, 'row')} by {len(methods)} methods"
    print(f"{out}: {counted(len(drawn), 'sample')}{fewer}, {how}; both annotators mark each row with 1 or 0,", end=" ")
    print("then run --score")
