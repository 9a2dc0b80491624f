"""Commands that ask an index: precedents for a text, and the judgment on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.display import console, hits_text, progress_bar
from lexgear.errors import InputError

if TYPE_CHECKING:
    from lexgear.api import Index
    from lexgear.rankers.base_judge import BaseJudge


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
    from lexgear.corpus.store import of_split, read_queries
    from lexgear.evaluation.experiment import run_of
    from lexgear.evaluation.scope import read_id_lists
    from lexgear.rankers.scope import Scope
    from lexgear.trec import write_run

    asked = read_queries(queries)
    if split is not None:
        asked = of_split(asked, split, queries)
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


def judge(
    index: Annotated[
        Path | None,
        typer.Argument(help="A lexgear index, or a base model; without one the base model that comes with lexgear."),
    ] = None,
    text: Annotated[str | None, typer.Option(help="Facts of one undecided case, given here.")] = None,
    queries: Annotated[
        Path | None, typer.Option(help="JSON lines with id and text; where they have charges, they are measured.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="With --queries: only those of this split, such as test.")] = None,
    out: Annotated[Path | None, typer.Option(help="JSON lines to write, with --queries.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --text: print JSON.")] = False,
    language: Annotated[str, typer.Option(help="Without an index: the base model for this language.")] = "zh",
) -> None:
    """Say which charges the facts of a case lead to, by which articles and how surely; no index is needed.

    Charges in the file of queries never reach the judgment; they say afterwards how often it was right, and how far
    its probabilities can be trusted.
    """
    from lexgear.display import opinion_view
    from lexgear.files import dumps

    if (text is None) == (queries is None) or (queries is None) != (out is None):
        raise InputError("judge takes either --text, or --queries with --out")
    if text is not None and split:
        raise InputError("--split chooses among the queries of a file", remedy="use --queries with --out")
    if as_json and text is None:
        raise InputError("--json shows the judgment on one --text", remedy="--out names the file for --queries")
    if queries is not None and out is not None:
        _judge_file(index, language, queries, split, out)
        return
    loaded = _judge(index, language)
    opinion = loaded.judge(str(text))
    if as_json:
        print(dumps(opinion.to_row()))
    else:
        console().print(opinion_view(opinion, loaded.law))


def _judge(index: Path | None, language: str) -> Index | BaseJudge:
    """Who judges: an index, a base model, or the one that comes with the package."""
    from lexgear.api import Index
    from lexgear.pretraining.base import is_base, load_base
    from lexgear.rankers.base_judge import BaseJudge, shipped_judge

    if index is None:
        return shipped_judge(language)
    return BaseJudge(load_base(index), language) if is_base(index) else Index.load(index)


def _judge_file(index: Path | None, language: str, queries: Path, split: str | None, out: Path) -> None:
    from lexgear.corpus.store import of_split, read_queries
    from lexgear.display import trust_table
    from lexgear.evaluation.calibration import Judged, by_charges
    from lexgear.files import dumps
    from lexgear.whole import whole_file

    asked = read_queries(queries)
    if split is not None:
        asked = of_split(asked, split, queries)
    loaded = _judge(index, language)
    judged = []
    with progress_bar("Judging") as progress, whole_file(out) as file:
        for done, query in enumerate(asked, start=1):
            opinion = loaded.judge(query.text)
            file.write(dumps({"id": query.id, **opinion.to_row()}) + "\n")
            if query.charges:
                named = {charge.name: charge.probability for charge in opinion.charges}
                judged.append(Judged(frozenset(query.charges), named))
            progress(done, len(asked))
    print(f"{out}: {len(asked):,} judgments")
    if judged:
        console().print(trust_table(by_charges(judged)))
