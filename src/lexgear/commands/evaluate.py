"""The `evaluate` command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import console


def evaluate(
    run: Annotated[Path, typer.Argument(help="TREC run file, or a directory with several runs of one system.")],
    qrels: Annotated[Path, typer.Argument(help="TREC qrels file, or a collection directory.")],
    measures: Annotated[
        str | None,
        typer.Option(
            help="Measures, such as \"R@20,nDCG@10,nDCG(dcg='exp-log2')@10,RR,AP,P@5,coverage@1\".",
            show_default="nDCG(dcg='exp-log2')@10,R@10,R@20,RR,AP",
        ),
    ] = None,
    baseline: Annotated[
        list[Path] | None,
        typer.Option(help="Run to compare with; repeatable. Significance is tested against the first."),
    ] = None,
    split: Annotated[str | None, typer.Option(help="Use only the queries of this split.")] = None,
    unseen: Annotated[
        bool,
        typer.Option("--unseen", help="Use only queries none of whose relevant documents answers a training query."),
    ] = False,
    pools: Annotated[
        Path | None, typer.Option(help="JSON file: query id → ids of its candidates; other documents are ignored.")
    ] = None,
    judged: Annotated[bool, typer.Option("--judged", help="Ignore documents without a label.")] = False,
    ranked: Annotated[bool, typer.Option("--ranked", help="Use only the queries that every run has.")] = False,
    exclude: Annotated[Path | None, typer.Option(help="JSON file: query id → ids of documents to leave out.")] = None,
    relevant_from: Annotated[
        int | None, typer.Option(min=1, help="Lowest relevant grade.", show_default="that of the collection, or 1")
    ] = None,
    format_: Annotated[str, typer.Option("--format", help="table, markdown or csv.")] = "table",
    per_query: Annotated[Path | None, typer.Option(help="CSV file to write with the values of every query.")] = None,
) -> None:
    """Evaluate a run, with confidence intervals and paired significance tests.

    A collection directory also provides the lowest relevant grade, the charges for coverage, and the documents that
    each query was drawn from, which are left out.
    """
    from lexgear.atomic import atomic_file
    from lexgear.evaluation import tables
    from lexgear.evaluation.evaluate import DEFAULT_MEASURES, named_runs
    from lexgear.evaluation.evaluate import evaluate as evaluate_runs
    from lexgear.evaluation.scope import make_scope

    render = {"markdown": tables.markdown, "csv": tables.summary_csv}
    if format_ not in {"table", *render}:
        raise InputError(
            f"no format {format_!r}", code=ErrorCode.UNKNOWN_NAME, remedy="use table, markdown or csv", name=format_
        )
    scope = make_scope(
        qrels,
        split=split,
        unseen=unseen,
        pools=pools,
        exclude=exclude,
        judged=judged,
        ranked=ranked,
    )
    if relevant_from is not None:
        scope = replace(scope, relevant_from=relevant_from)
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
