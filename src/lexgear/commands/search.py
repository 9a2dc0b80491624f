"""The `search` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.errors import InputError
from lexgear.terminal import console, hits_text, progress_bar

if TYPE_CHECKING:
    pass


def search(
    index: Annotated[Path, typer.Argument(help="An index directory made by lexgear train.")],
    text: Annotated[str | None, typer.Option(help="One query, given here.")] = None,
    queries: Annotated[Path | None, typer.Option(help="JSON lines with id and text.")] = None,
    split: Annotated[str | None, typer.Option(help="With --queries: only those of this split, such as test.")] = None,
    run: Annotated[Path | None, typer.Option(help="TREC run to write, with --queries.")] = None,
    k: Annotated[int, typer.Option(min=1, help="How many documents a query.")] = 10,
    filter_: Annotated[
        list[str] | None,
        typer.Option("--filter", help="Such as charge=盗窃罪 or 'date>=2015-01-01'; repeatable."),
    ] = None,
    exclude: Annotated[Path | None, typer.Option(help="JSON: query id → documents to leave out.")] = None,
    pools: Annotated[Path | None, typer.Option(help="JSON: query id → its only candidates.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --text: print JSON.")] = False,
) -> None:
    """Search an index: a file of queries into a TREC run, or one text onto the screen."""
    from lexgear.api import Index
    from lexgear.files import dumps

    if (text is None) == (queries is None) or (queries is None) != (run is None):
        raise InputError("search takes either --text, or --queries with --run")
    if text is not None and (split or exclude or pools):
        raise InputError(
            "--split, --exclude and --pools speak of queries by their id", remedy="use --queries with --run"
        )
    if as_json and text is None:
        raise InputError("--json shows the hits of one --text", remedy="--run names the file for those of --queries")
    if queries is not None and run is not None:
        _search_file(index, queries, split, run, k, filter_ or [], exclude, pools)
        return
    hits = Index.load(index).search(str(text), k, filter_ or ())
    if as_json:
        print(dumps([hit.to_row() for hit in hits]))
    elif hits:
        console().print(hits_text(hits))
    else:
        print("Nothing found: no document shares a word with the query, or none passes the filters.")


def _search_file(
    index: Path,
    queries: Path,
    split: str | None,
    run: Path,
    k: int,
    filters: list[str],
    exclude: Path | None,
    pools: Path | None,
) -> None:
    from lexgear.api import Index
    from lexgear.corpus.store import read_queries, select_split
    from lexgear.evaluation.experiment import run_of
    from lexgear.evaluation.scope import read_id_lists
    from lexgear.rankers.scope import Scope
    from lexgear.trec import write_run

    asked = read_queries(queries)
    if split is not None:
        asked = select_split(asked, split, queries)
    loaded = Index.load(index)
    scope = Scope(
        only=loaded.stored.catalogue.select(filters) if filters else None,
        pools=read_id_lists(pools) if pools else None,
        exclude=read_id_lists(exclude) if exclude else {},
    )
    with progress_bar("Searching") as progress:
        results = loaded.rank(asked, k, scope, progress)
    write_run(run, run_of(asked, results), loaded.stored.manifest.ranker)
    empty = sum(not hits for hits in results)
    print(f"{run}: {len(asked):,} queries, {sum(map(len, results)):,} hits", end="")
    print(f", {empty:,} queries found nothing" if empty else "")
