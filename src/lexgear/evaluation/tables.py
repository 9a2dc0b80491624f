"""Evaluations as tables: for the terminal, as Markdown, and as CSV per system or per query."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lexgear.evaluation.comparison import SIGNIFICANT, Cell, Evaluation

if TYPE_CHECKING:
    from rich.table import Table

_NOTHING = "–"
_SUMMARY = (
    *("system", "measure", "queries", "mean", "low", "high"),
    *("baseline", "difference", "difference_low", "difference_high", "p", "p_bonferroni", "significant"),
)


def terminal(evaluation: Evaluation) -> Table:
    """Return a table for `rich.print`: means with intervals, and notes in the caption."""
    from rich.table import Table
    from rich.text import Text

    table = Table(caption=Text("\n".join(captions(evaluation))), caption_justify="left")
    table.add_column("system", overflow="fold")
    for measure in evaluation.measures:
        table.add_column(Text(repr(measure)), justify="right", overflow="fold")
    for system in evaluation.systems:
        cells = [evaluation.cells.get((system, measure)) for measure in evaluation.measures]
        table.add_row(Text(system), *(Text("\n".join(_parts(cell))) for cell in cells))
    return table


def markdown(evaluation: Evaluation) -> str:
    """Return a Markdown table of means with intervals, followed by notes."""
    lines = [
        ["system", *map(repr, evaluation.measures)],
        ["---", *("---:" for _ in evaluation.measures)],
    ]
    for system in evaluation.systems:
        cells = [evaluation.cells.get((system, measure)) for measure in evaluation.measures]
        lines.append([system.replace("|", "\\|"), *(" ".join(_parts(cell)) for cell in cells)])
    rows = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return "\n\n".join([rows, "\n".join(f"- {caption}" for caption in captions(evaluation))]) + "\n"


def summary_csv(evaluation: Evaluation) -> str:
    """Return one CSV row per system and measure, with every digit, the intervals and the p-values."""
    rows: list[Sequence[object]] = []
    for (system, measure), cell in evaluation.cells.items():
        row: list[object] = [system, measure, cell.queries, cell.mean, cell.low, cell.high]
        if (versus := cell.difference) is not None:
            row += [evaluation.baseline, versus.mean, versus.low, versus.high, versus.p, versus.p_bonferroni]
            row.append("yes" if versus.significant else "no")
        rows.append(row + [""] * (len(_SUMMARY) - len(row)))
    return _csv(_SUMMARY, rows)


def per_query_csv(evaluation: Evaluation) -> str:
    """Return one CSV row per system and query; a cell is empty if the measure has no value for the query."""
    rows: list[Sequence[object]] = []
    for system in evaluation.systems:
        columns = [evaluation.values[system, measure] for measure in evaluation.measures]
        for query in dict.fromkeys(query for column in columns for query in column):
            rows.append([system, query, *(column.get(query, "") for column in columns)])
    return _csv(("system", "query", *map(repr, evaluation.measures)), rows)


def captions(evaluation: Evaluation) -> list[str]:
    """Return the lines below a table: how intervals and marks were computed, and what was left out."""
    intervals = "in brackets: 95% bootstrap interval of the mean, 10,000 resamples of the queries"
    return [intervals, *marks_caption(evaluation), *map(str, evaluation.notes)]


def marks_caption(evaluation: Evaluation, mark: str = "†", baseline: str | None = None) -> list[str]:
    """Return the line that explains the mark of significance, if anything was tested.

    `baseline` is the name that the table shows, if it is not the name in the evaluation.
    """
    if not evaluation.comparisons:
        return []
    return [
        f"{mark}: differs from {baseline or evaluation.baseline}, p < {SIGNIFICANT} in a paired two-sided t-test, "
        f"Bonferroni-corrected for {evaluation.comparisons} comparisons"
    ]


def _parts(cell: Cell | None) -> tuple[str, ...]:
    if cell is None:
        return (_NOTHING,)
    mark = "†" if cell.difference is not None and cell.difference.significant else ""
    return f"{cell.mean:.4f}{mark}", f"[{cell.low:.4f}, {cell.high:.4f}]"


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
