"""The `judge` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lexgear.errors import ErrorCode, InputError
from lexgear.terminal import console, counted, progress_bar

if TYPE_CHECKING:
    from lexgear.api import Index
    from lexgear.judgment.base_judge import BaseJudge


def judge(
    index: Annotated[
        Path | None,
        typer.Argument(
            help="Index of the ranker lexgear, or a base model.", show_default="the base model included in lexgear"
        ),
    ] = None,
    text: Annotated[str | None, typer.Option(help="Facts of one undecided case.")] = None,
    queries: Annotated[
        Path | None, typer.Option(help="JSON lines with id and text; if they have charges, the judgments are scored.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="Use only the queries of this split, such as test.")] = None,
    out: Annotated[Path | None, typer.Option(help="JSON lines file to write, with --queries.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with --text.")] = False,
    date: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM-DD", help="Date of the act, with --text.", show_default="as read from the facts"),
    ] = None,
    language: Annotated[str, typer.Option(help="Language of the included base model: zh or fr.")] = "zh",
) -> None:
    """Predict the charges of a case from its facts, with probabilities, articles and evidence.

    No index is needed. Charges in the file of queries are not shown to the model: they serve to measure accuracy and
    calibration afterwards.
    """
    from lexgear.files import dumps
    from lexgear.terminal import judgment_view

    if (text is None) == (queries is None) or (queries is None) != (out is None):
        raise InputError("give either --text, or --queries and --out", code=ErrorCode.USAGE)
    if text is not None and split:
        raise InputError("--split needs --queries and --out", code=ErrorCode.USAGE)
    if date is not None and text is None:
        raise InputError(
            "--date needs --text", code=ErrorCode.USAGE, remedy="dates of --queries are read from the facts"
        )
    if as_json and text is None:
        raise InputError("--json needs --text", code=ErrorCode.USAGE, remedy="judgments on --queries go to --out")
    if queries is not None and out is not None:
        _judge_file(index, language, queries, split, out)
        return
    loaded = _load(index, language)
    judgment = loaded.judge(str(text), date)
    if as_json:
        print(dumps(judgment.to_row()))
    else:
        console().print(judgment_view(judgment, loaded.law))


def _load(index: Path | None, language: str) -> Index | BaseJudge:
    """Load an index, a base model, or the base model included in the package."""
    from lexgear.api import Index
    from lexgear.judgment.base_judge import BaseJudge, shipped_judge
    from lexgear.pretraining.base import is_base, load_base

    if index is None:
        return shipped_judge(language)
    return BaseJudge(load_base(index), language) if is_base(index) else Index.load(index)


def _judge_file(index: Path | None, language: str, queries: Path, split: str | None, out: Path) -> None:
    from lexgear.atomic import atomic_file
    from lexgear.corpus.query_files import read_queries, select_split
    from lexgear.evaluation.calibration import JudgedQuery, quality_by_charges
    from lexgear.files import dumps
    from lexgear.terminal import judgment_quality_table, reliability_table

    asked = read_queries(queries)
    if split is not None:
        asked = select_split(asked, split, queries)
    loaded = _load(index, language)
    judged = []
    with progress_bar("Judging") as progress, atomic_file(out) as file:
        for done, query in enumerate(asked, start=1):
            judgment = loaded.judge(query.text)
            file.write(dumps({"id": query.id, **judgment.to_row()}) + "\n")
            if query.charges:
                listed = {charge.name: charge.probability for charge in judgment.charges}
                judged.append(JudgedQuery(frozenset(query.charges), listed))
            progress(done, len(asked))
    print(f"{out}: {counted(len(asked), 'judgment')}")
    if judged:
        quality = quality_by_charges(judged)
        console().print(judgment_quality_table(quality))
        named = [pair for one in judged for pair in one.first()]
        title = f"{counted(len(named), 'charge')} named first in {counted(len(judged), 'text')}"
        console().print(reliability_table(title, named, quality["all"].first_calibration_error))
        pairs = [pair for one in judged for pair in one.pairs()]
        title = f"{counted(len(pairs), 'charge')} listed or missed"
        console().print(reliability_table(title, pairs, quality["all"].calibration_error))
