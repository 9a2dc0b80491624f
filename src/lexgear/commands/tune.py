"""The `tune` command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import InputError
from lexgear.terminal import console, progress_bar


def tune(
    collection: Annotated[Path, typer.Argument(help="A collection directory made by lexgear import.")],
    out: Annotated[Path, typer.Option(help="JSON lines of results; those in it already are not run again.")],
    ranker: Annotated[str, typer.Option(help="Any ranker that lexgear train knows.")] = "gear",
    grid: Annotated[
        list[str] | None,
        typer.Option(help="A setting and its values, as rate=0.001,0.003; repeatable: all combinations."),
    ] = None,
    paper_grid: Annotated[
        bool,
        typer.Option(
            "--paper-grid",
            help="The paper's values of rate, gamma_h, lambda_w, lambda_l: one setting after the other in this order, "
            "the best kept, since all combinations would be 600.",
        ),
    ] = False,
    measure: Annotated[str, typer.Option(help="What to choose by, as R@20 or nDCG@10 (linear gain).")] = "RR",
    best: Annotated[Path | None, typer.Option(help="TOML of the best settings to write, for --config.")] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file of the settings to start from.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting as key=value; repeatable.")] = None,
) -> None:
    """Train a ranker at every point of a grid and choose the settings by held-out training queries.

    A quarter of the training queries is held out, the same for every point; test queries are not read.
    """
    from lexgear.atomic import atomic_file
    from lexgear.corpus.store import load_collection
    from lexgear.evaluation.measures import parse_measures
    from lexgear.evaluation.tuning import PAPER_GRID, Tuning, best_of, parse_grid, settings_toml, trials_table
    from lexgear.rankers.registry import make_ranker

    if bool(grid) == paper_grid:
        raise InputError("tune takes either --grid or --paper-grid", remedy="such as --grid rate=0.001,0.003")
    values = PAPER_GRID if paper_grid else parse_grid(grid or ())
    chosen = make_ranker(ranker, config, set_ or ())
    with progress_bar("Reading the collection") as progress:
        loaded = load_collection(collection)
        progress(1, 1)
    [chosen_by] = parse_measures([measure], loaded.relevant_from)
    try:
        with progress_bar(f"Tuning {ranker}") as progress:
            tuning = Tuning(loaded, chosen, chosen_by, out, progress)
            trials = tuning.one_by_one(values) if paper_grid else tuning.over_product(values)
    except KeyboardInterrupt:
        print(f"lexgear: stopped; the same command goes on with what is in {out}", file=sys.stderr)
        raise typer.Exit(130) from None
    console().print(trials_table(trials, values, chosen_by))
    print(f"{out}: measured on {len(tuning.asked.queries)} training queries held out of ", end="")
    print(f"{len(tuning.asked.queries) + len(tuning.learnt.queries)}; test queries were not read")
    if best is not None:
        with atomic_file(best) as file:
            file.write(settings_toml(best_of(trials).settings))
        print(f"{best}: the best settings; lexgear train … --config {best}")
