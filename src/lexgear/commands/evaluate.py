"""The `evaluate` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import InputError
from lexgear.terminal import console


def evaluate(
    run: Annotated[Path, typer.Argument(help="TREC run.")],
    qrels: Annotated[Path, typer.Argument(help="TREC qrels, or a collection directory.")],
    measures: Annotated[
        str | None, typer.Option(help="Such as \"R@20,nDCG@10,nDCG(dcg='exp-log2')@10,RR,AP,P@5,coverage@1\".")
    ] = None,
    baseline: Annotated[
        list[Path] | None, typer.Option(help="Run to compare with; repeatable, the first is tested against.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="Only the collection's queries of this split.")] = None,
    pools: Annotated[Path | None, typer.Option(help="JSON: query id → candidates; score inside them.")] = None,
    judged: Annotated[bool, typer.Option("--judged", help="Score over judged documents only.")] = False,
    ranked: Annotated[bool, typer.Option("--ranked", help="Only queries that every run ranks.")] = False,
    exclude: Annotated[Path | None, typer.Option(help="JSON: query id → own judgments to leave out.")] = None,
    relevant_from: Annotated[int | None, typer.Option(min=1, help="Lowest grade that is relevant.")] = None,
    format_: Annotated[str, typer.Option("--format", help="table, markdown or csv.")] = "table",
    per_query: Annotated[Path | None, typer.Option(help="CSV of every query's values to write.")] = None,
) -> None:
    """Measure a run, with intervals and paired tests.

    Labels that lie in a collection directory bring along its lowest relevant grade, its charges (for
    coverage) and the queries' own judgments, which are left out.
    """
    from lexgear.atomic import atomic_file
    from lexgear.evaluation import tables
    from lexgear.evaluation.evaluate import DEFAULT_MEASURES, named_runs
    from lexgear.evaluation.evaluate import evaluate as evaluate_runs
    from lexgear.evaluation.scope import make_scope

    render = {"markdown": tables.markdown, "csv": tables.summary_csv}
    if format_ not in {"table", *render}:
        raise InputError(f"no format {format_!r}", remedy="table, markdown or csv")
    scope = make_scope(
        qrels,
        split=split,
        pools=pools,
        exclude=exclude,
        judged=judged,
        ranked=ranked,
        relevant_from=relevant_from,
    )
    systems = named_runs([run, *(baseline or ())])
    tested_against = list(systems)[1] if len(systems) > 1 else None
    result = evaluate_runs(systems, scope, measures or DEFAULT_MEASURES, baseline=tested_against)
    if per_query is not None:
        with atomic_file(per_query) as file:
            file.write(tables.per_query_csv(result))
    if format_ == "table":
        console().print(tables.terminal(result))
    else:
        print(render[format_](result), end="")
