"""The `judge` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.errors import InputError
from lexgear.terminal import console, progress_bar

if TYPE_CHECKING:
    from lexgear.api import Index
    from lexgear.judgment.base_judge import BaseJudge


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
    from lexgear.files import dumps
    from lexgear.terminal import opinion_view

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
    from lexgear.judgment.base_judge import BaseJudge, shipped_judge
    from lexgear.pretraining.base import is_base, load_base

    if index is None:
        return shipped_judge(language)
    return BaseJudge(load_base(index), language) if is_base(index) else Index.load(index)


def _judge_file(index: Path | None, language: str, queries: Path, split: str | None, out: Path) -> None:
    from lexgear.atomic import atomic_file
    from lexgear.corpus.store import read_queries, select_split
    from lexgear.evaluation.calibration import Judged, by_charges
    from lexgear.files import dumps
    from lexgear.terminal import trust_table

    asked = read_queries(queries)
    if split is not None:
        asked = select_split(asked, split, queries)
    loaded = _judge(index, language)
    judged = []
    with progress_bar("Judging") as progress, atomic_file(out) as file:
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
