"""The `search` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.commands.cluster import opened_index
from lexgear.commands.options import Cluster
from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import console, counted, hits_text, progress_bar

if TYPE_CHECKING:
    from lexgear.api import Index


def search(
    index: Annotated[Path, typer.Argument(help="Index directory, made by lexgear train.")],
    text: Annotated[str | None, typer.Option(help="Text of one query.")] = None,
    queries: Annotated[Path | None, typer.Option(help="JSON lines file with the id and text of each query.")] = None,
    split: Annotated[str | None, typer.Option(help="Use only the queries of this split, such as test.")] = None,
    run: Annotated[Path | None, typer.Option(help="TREC run to write, with --queries.")] = None,
    k: Annotated[int, typer.Option(min=1, help="Documents per query.")] = 10,
    filter_: Annotated[
        list[str] | None,
        typer.Option("--filter", help="Filter such as charge=盗窃罪 or 'date>=2015-01-01'; repeatable."),
    ] = None,
    factor: Annotated[
        list[str] | None,
        typer.Option(help="Legal factor that a document must have, such as weapon; repeatable."),
    ] = None,
    keywords: Annotated[
        str | None,
        typer.Option(help='Words and "phrases" that a document must contain; after a minus sign, must not.'),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option(help="Search the law in force on this day, YYYY-MM-DD; documents without dates are kept."),
    ] = None,
    exclude: Annotated[Path | None, typer.Option(help="JSON file: query id → ids of documents to leave out.")] = None,
    pools: Annotated[Path | None, typer.Option(help="JSON file: query id → ids of its only candidates.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with --text.")] = False,
    cluster: Cluster = None,
) -> None:
    """Search an index with one text, or with a file of queries whose results are written as a TREC run.

    With --cluster, each shard of a sharded index is searched by a process of a Ray cluster.
    """
    from lexgear.files import dumps
    from lexgear.index.filters import in_force_on
    from lexgear.index.keywords import keyword_filters

    factors = (f"factor={name}" for name in factor or [])
    filters = [*(filter_ or []), *factors, *keyword_filters(keywords or ""), *in_force_on(date)]
    if (text is None) == (queries is None) or (queries is None) != (run is None):
        raise InputError("give either --text, or --queries and --run", code=ErrorCode.USAGE)
    if text is not None and (split or exclude or pools):
        raise InputError("--split, --exclude and --pools need --queries and --run", code=ErrorCode.USAGE)
    if as_json and text is None:
        raise InputError("--json needs --text", code=ErrorCode.USAGE, remedy="results of --queries go to --run")
    if queries is not None and run is not None:
        with opened_index(index, cluster) as loaded:
            _search_file(loaded, queries, split, run, k, filters, exclude, pools)
        return
    with opened_index(index, cluster) as loaded:
        hits = loaded.search(str(text), k, filters)
    if as_json:
        print(dumps([hit.to_row() for hit in hits]))
    elif hits:
        console().print(hits_text(hits))
    else:
        print("Nothing found: no document matches the query and the filters.")


def _search_file(
    loaded: Index,
    queries: Path,
    split: str | None,
    run: Path,
    k: int,
    filters: list[str],
    exclude: Path | None,
    pools: Path | None,
) -> None:
    from lexgear.corpus.query_files import read_queries, select_split
    from lexgear.evaluation.experiment import run_of
    from lexgear.evaluation.scope import read_id_lists
    from lexgear.rankers.scope import Scope
    from lexgear.trec import write_run

    asked = read_queries(queries)
    if split is not None:
        asked = select_split(asked, split, queries)
    scope = Scope(
        only=loaded.stored.catalogue.select(filters) if filters else None,
        pools=read_id_lists(pools) if pools else None,
        exclude=read_id_lists(exclude) if exclude else {},
    )
    with progress_bar("Searching") as progress:
        results = loaded.rank(asked, k, scope, progress)
    write_run(run, run_of(asked, results), loaded.stored.manifest.ranker)
    empty = sum(not hits for hits in results)
    without = f"; no hits for {counted(empty, 'query')}" if empty else ""
    print(f"{run}: {counted(len(asked), 'query')}, {counted(sum(map(len, results)), 'hit')}{without}")
