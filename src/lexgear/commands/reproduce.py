"""The `reproduce` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import InputError
from lexgear.terminal import console, progress_bar

BUILD = Path("build/reproduce")


def reproduce(
    recipe: Annotated[str, typer.Argument(help="Such as table-retrieval; `list` shows all of them.")],
    data: Annotated[
        list[str] | None,
        typer.Option(help="sample, sample-fr, tiny, or a collection directory; table-datasets takes several."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Directory of the report [default: build/reproduce/RECIPE-DATA-DATE].")
    ] = None,
    systems: Annotated[str | None, typer.Option(help="Only these of the recipe's, with commas between.")] = None,
    seeds: Annotated[int, typer.Option(min=0, help="Runs of every system that draws; 0: as the data's profile.")] = 0,
    runs: Annotated[Path, typer.Option(help="Where runs are kept; what is there is not made again.")] = BUILD / "runs",
    peers: Annotated[
        Path | None, typer.Option(help="Directory of published runs (*.run) to stand beside ours.")
    ] = None,
    summariser: Annotated[
        str, typer.Option(help="For table-rationale: directory or hub name of a language model that summarises.")
    ] = "",
    into: Annotated[
        Path | None,
        typer.Option(help="Page that takes the tables, between <!-- RECIPE DATA --> and <!-- end of … -->."),
    ] = None,
) -> None:
    """Make a table or a figure of the paper, ours beside the paper's own numbers.

    Every system is trained and searched once a seed and its run kept, so that a stopped command goes on where it was
    and other recipes find what they need. Leaves Markdown, CSV, JSON, PNG and the runs behind.
    """
    from datetime import UTC, datetime

    from lexgear.evaluation.reproduce.data import load_data
    from lexgear.evaluation.reproduce.recipe import recipes
    from lexgear.evaluation.reproduce.report import replace_section
    from lexgear.evaluation.reproduce.runner import RecipeRequest, run_recipe
    from lexgear.evaluation.reproduce.tables.retrieval import read_peers

    if recipe == "list":
        for one in recipes().recipes.values():
            print(f"{one.name:20} {one.title}")
        return
    wanted = recipes().recipe(recipe)
    if peers is not None and not peers.is_dir():
        raise InputError("no directory of runs", file=peers)
    names = data or [("sample-fr" if wanted.name == "table-statutes" else "sample")]
    if len(names) > 1 and wanted.kind != "datasets":
        raise InputError(f"{recipe} is made on one data set at a time", remedy="name one --data")
    collections = [load_data(name) for name in names]
    chosen = [name.strip() for name in systems.split(",")] if systems else []
    request = RecipeRequest(wanted, collections, runs, chosen, seeds, read_peers(peers), summariser, names)
    place = out or BUILD / f"{recipe}-{collections[0].name}-{datetime.now(UTC).date().isoformat()}"
    with progress_bar(f"Making {recipe}") as progress:
        report = run_recipe(request, place, progress)
    console().print(report.markdown(), markup=False, soft_wrap=True)
    print(f"Markdown, CSV, JSON, PNG and runs are in {place}")
    if into is not None:
        replace_section(into, f"{recipe} {collections[0].name}", report.section())
