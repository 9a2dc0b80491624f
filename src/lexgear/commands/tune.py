"""The `tune` command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import console, progress_bar


def tune(
    collection: Annotated[Path, typer.Argument(help="Collection directory, made by lexgear import.")],
    out: Annotated[Path, typer.Option(help="JSON lines file of results; those in it are not repeated.")],
    ranker: Annotated[str, typer.Option(help="One of {rankers}.")] = "gear",
    grid: Annotated[
        list[str] | None,
        typer.Option(
            help="Setting and its values, such as learning_rate=0.001,0.003; repeatable: all combinations are tried."
        ),
    ] = None,
    paper_grid: Annotated[
        bool,
        typer.Option(
            "--paper-grid",
            help="Use the paper's values of learning_rate, gamma_h, lambda_w and lambda_l, one setting after "
            "the other; all combinations would be 600.",
        ),
    ] = False,
    measure: Annotated[str, typer.Option(help="Measure to choose by, such as R@20 or nDCG@10 (linear gain).")] = "RR",
    best: Annotated[Path | None, typer.Option(help="TOML file to write with the best settings, for --config.")] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with the settings to start from.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="Setting as NAME=VALUE; repeatable.")] = None,
) -> None:
    """Choose settings by grid search on held-out training queries.

    A quarter of the training queries is held out, the same for every point of the grid. Test queries are not read.
    """
    from lexgear.atomic import atomic_file
    from lexgear.corpus.store import load_collection
    from lexgear.evaluation.measures import parse_measures
    from lexgear.evaluation.tuning import PAPER_GRID, Tuning, best_trial, parse_grid, settings_toml, trials_table
    from lexgear.rankers.registry import make_ranker

    if bool(grid) == paper_grid:
        raise InputError(
            "give either --grid or --paper-grid",
            code=ErrorCode.USAGE,
            remedy="such as --grid learning_rate=0.001,0.003",
        )
    values = PAPER_GRID if paper_grid else parse_grid(grid or ())
    chosen = make_ranker(ranker, config, set_ or ())
    with progress_bar("Reading the collection") as progress:
        loaded = load_collection(collection)
        progress(1, 1)
    [chosen_by] = parse_measures([measure], loaded.relevant_from)
    try:
        with progress_bar(f"Tuning {ranker}") as progress:
            tuning = Tuning(loaded, chosen, chosen_by, out, progress)
            trials = tuning.try_one_by_one(values) if paper_grid else tuning.try_all(values)
    except KeyboardInterrupt:
        print(f"lexgear: interrupted; the same command resumes from {out}", file=sys.stderr)
        raise typer.Exit(130) from None
    console().print(trials_table(trials, values, chosen_by))
    print(f"{out}: measured on {len(tuning.validation.queries)} training queries held out of ", end="")
    print(f"{len(tuning.validation.queries) + len(tuning.training.queries)}; test queries were not read")
    if best is not None:
        with atomic_file(best) as file:
            file.write(settings_toml(best_trial(trials).settings))
        print(f"{best}: the best settings; use them with lexgear train … --config {best}")
