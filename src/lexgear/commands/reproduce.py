"""The `reproduce` command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import console, progress_bar

BUILD = Path("build/reproduce")


def reproduce(
    recipe: Annotated[str, typer.Argument(help="Name of a recipe, such as table-retrieval; `list` lists them.")],
    data: Annotated[
        list[str] | None,
        typer.Option(
            help="sample, sample-fr, tiny, or a collection directory; repeatable for table-datasets.",
            show_default="sample; sample-fr for table-statutes",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Directory for the report.", show_default=f"{BUILD}/RECIPE-DATA-DATE")
    ] = None,
    systems: Annotated[
        str | None, typer.Option(help="Systems of the recipe to include, separated by commas.", show_default="all")
    ] = None,
    seeds: Annotated[
        int,
        typer.Option(min=0, help="Number of seeds for systems that depend on one; 0 for the default of the data set."),
    ] = 0,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Run this seed alone, to divide the work over several processes.")
    ] = None,
    backbone: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM=DIR", help="Checkpoint that a system starts from; `all` for every system; repeatable."
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="SYSTEM.KEY=VALUE",
            help="Setting of a system; `all` for every system that has it; repeatable.",
        ),
    ] = None,
    finished: Annotated[
        bool, typer.Option("--finished", help="Run nothing: use the results there are, and say what is missing.")
    ] = False,
    results: Annotated[
        Path, typer.Option(help="Directory of the values per query, one small file per system and seed.")
    ] = BUILD / "results",
    runs: Annotated[Path, typer.Option(help="Directory of finished runs, which are not repeated.")] = BUILD / "runs",
    peers: Annotated[Path | None, typer.Option(help="Directory of published runs (*.run) to show beside ours.")] = None,
    summariser: Annotated[
        str, typer.Option(help="Directory or hub name of a language model that summarises, for table-rationale.")
    ] = "",
    into: Annotated[
        Path | None,
        typer.Option(
            help="Markdown page to insert the tables into, between <!-- RECIPE DATA --> and <!-- end of … -->."
        ),
    ] = None,
) -> None:
    """Reproduce a table or figure of the paper, with the paper's own numbers beside ours.

    Every system is trained and searched once per seed. Finished runs are kept: an interrupted command resumes, and
    other recipes reuse them. Tables are built from the values per query, which are kept as well, so that systems and
    seeds can be run on several machines. The report is written as Markdown, CSV, JSON and PNG.
    """
    from datetime import UTC, datetime

    from lexgear.evaluation.reproduce.data import load_data
    from lexgear.evaluation.reproduce.recipe import recipes
    from lexgear.evaluation.reproduce.report import replace_section
    from lexgear.evaluation.reproduce.runner import RecipeRequest, run_recipe
    from lexgear.evaluation.reproduce.tables.retrieval import read_peers

    if recipe == "list":
        for one in recipes().recipes.values():
            print(f"{one.name:22} {one.title}")
        return
    wanted = recipes().recipe(recipe)
    if peers is not None and not peers.is_dir():
        raise InputError("no such directory", code=ErrorCode.FILE_MISSING, file=peers, remedy="check the path")
    names = data or [("sample-fr" if wanted.name == "table-statutes" else "sample")]
    if len(names) > 1 and wanted.kind != "datasets":
        raise InputError(f"{recipe} takes one data set at a time", code=ErrorCode.USAGE, remedy="give --data once")
    collections = [load_data(name) for name in names]
    chosen = [name.strip() for name in systems.split(",")] if systems else []
    request = RecipeRequest(
        wanted,
        collections,
        runs,
        results,
        systems=chosen,
        seeds=seeds,
        only_seed=seed,
        finished=finished,
        backbones=backbone or (),
        assignments=set_ or (),
        peers=read_peers(peers),
        summariser=summariser,
        data=names,
    )
    place = out or BUILD / f"{recipe}-{collections[0].name}-{datetime.now(UTC).date().isoformat()}"
    try:
        with progress_bar(f"Making {recipe}") as progress:
            report = run_recipe(request, place, progress)
    except KeyboardInterrupt:
        print(f"lexgear: interrupted; finished runs are in {runs}, and the same command resumes", file=sys.stderr)
        raise typer.Exit(130) from None
    console().print(report.markdown(), markup=False, soft_wrap=True)
    print(f"Markdown, CSV, JSON, PNG and runs are in {place}")
    if into is not None:
        replace_section(into, f"{recipe} {collections[0].name}", report.section())
