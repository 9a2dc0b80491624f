"""Table of costs: training, seeds, seconds and command of every row, and whether it has its expected values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lexgear.evaluation.comparison import Evaluation
from lexgear.evaluation.reproduce.recipe import System
from lexgear.evaluation.reproduce.report import Cell, Table, format_cell
from lexgear.evaluation.reproduce.results import SystemResult
from lexgear.evaluation.reproduce.study import Study

COLUMNS = (
    *("system", "seeds", "steps", "tokens", "last losses", "indexing accuracy", "seconds per seed"),
    *("expected", "command"),
)
NOTES = ("indexing accuracy: share of 200 documents that are found first by their own indexing text",)


def cost_table(
    results: Mapping[System, Sequence[SystemResult]],
    study: Study,
    found: Evaluation,
    labels: Mapping[str, str],
    command: Callable[[Sequence[str]], str],
) -> Table:
    """Return the table of costs; `command` returns the command that makes the rows of some systems."""
    rows: list[list[Cell]] = []
    for system, seeds in results.items():
        facts = seeds[0].facts
        loss = ", ".join(f"{name} {value:.3g}" for name, value in facts.get("loss", {}).items()) or None
        rows.append(
            [
                *(labels[system.name], len(seeds), facts.get("steps"), facts.get("tokens"), loss),
                *(facts.get("indexing"), f"{sum(one.facts['seconds'] for one in seeds) / len(seeds):.1f}"),
                *(_expectation(system, study, found), f"`{command([system.name])}`"),
            ]
        )
    return Table("What each row took", COLUMNS, rows, NOTES)


def _expectation(system: System, study: Study, found: Evaluation) -> str | None:
    """Return whether the values of a row are those measured before, within their tolerance."""
    known = dict(study.recipes.expected.get(study.collection.name, {}).get(system.name, {}))
    tolerance = known.pop("tolerance", 0.0)
    parts = []
    for measure in found.measures:
        if (expected := known.get(measure.written())) is not None:
            off = abs(found.cells[system.name, measure].mean - expected) > tolerance
            values = f"{format_cell(expected)} ± {format_cell(tolerance)}"
            parts.append(f"{measure.written()} {values}: {'OFF' if off else 'holds'}")
    return ", ".join(parts) or None
