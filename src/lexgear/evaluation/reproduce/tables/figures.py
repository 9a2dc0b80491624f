"""The paper's figures: DSI with each part of GEAR, coverage of the charges, validation MRR by epoch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.reproduce.plots import Curve, Point, bars, curves
from lexgear.evaluation.reproduce.recipe import Recipe
from lexgear.evaluation.reproduce.report import Cell, Draw, Table
from lexgear.evaluation.reproduce.results import Results, start_of
from lexgear.evaluation.reproduce.study import ALL, CHARGES, CUTOFFS, Study
from lexgear.evaluation.reproduce.tables.retrieval import pool_note, row_label
from lexgear.evaluation.significance import bootstrap

COLUMNS = ("mean", "low", "high")
FEWEST_SEEDS = 5
"""Seeds from which an interval over their means says something; the paper has five and ten."""


def ablation_figure(recipe: Recipe, study: Study, results: Results) -> tuple[list[Table], Draw | None]:
    """Return the mean of each system with its 95% interval over seeds, or over queries if seeds are few."""
    collection = study.collection
    measures = parse_measures(recipe.measures, collection.relevant_from)
    rows: list[list[Cell]] = []
    groups: dict[str, dict[str, Point]] = {repr(measure): {} for measure in measures}
    for seeds in results.systems.values():
        for measure in measures:
            point = mean_over_seeds([list(one.scopes[ALL].values[measure].values()) for one in seeds])
            groups[repr(measure)][row_label(seeds)] = point
            rows.append([row_label(seeds), start_of(seeds[0].facts), repr(measure), len(seeds), *point])
    title = f"{recipe.title}: {collection.name}"
    table = Table(title, ["system", "start", "measure", "seeds", *COLUMNS], rows, _notes(recipe, study, results))
    return [table], lambda path: bars(path, title, groups)


def coverage_figure(recipe: Recipe, study: Study, results: Results) -> tuple[list[Table], Draw | None]:
    """Return coverage@k by the charges of retrieved documents, as in the paper, and by the predicted charges."""
    rows: list[list[Cell]] = []
    lines: list[Curve] = []
    for colour, seeds in enumerate(results.systems.values()):
        found = [one.scopes[CHARGES].values if CHARGES in one.scopes else {} for one in seeds]
        for name, source in (("coverage", "retrieved documents"), ("coverage_judgment", "the judgment")):
            points: list[tuple[float, Point]] = []
            for cutoff in CUTOFFS:
                measure = Measure(name, cutoff=cutoff)
                if all(values.get(measure) for values in found):
                    points.append((cutoff, mean_over_seeds([list(values[measure].values()) for values in found])))
            label = row_label(seeds)
            if points:
                dashed = name == "coverage_judgment"
                lines.append(Curve(f"{label}, by {source}", points, colour=colour, dashed=dashed))
            start = start_of(seeds[0].facts)
            rows += [[label, start, source, int(cutoff), len(seeds), *point] for cutoff, point in points]
    title = f"{recipe.title}: {study.collection.name}"
    table = Table(title, ["system", "start", "by", "k", "seeds", *COLUMNS], rows, _notes(recipe, study, results))
    return [table], lambda path: curves(path, title, lines, ("k", "coverage@k"))


def convergence_figure(recipe: Recipe, study: Study, results: Results) -> tuple[list[Table], Draw | None]:
    """Return the validation MRR of every epoch: the mean over seeds and folds with its 95% interval."""
    rows: list[list[Cell]] = []
    lines: list[Curve] = []
    for colour, seeds in enumerate(results.systems.values()):
        logs = [values for one in seeds for values in one.facts.get("validation", []) if values]
        points: list[tuple[float, Point]] = []
        for epoch in range(max(map(len, logs), default=0)):
            values = [log[epoch] for log in logs if epoch < len(log)]
            points.append((epoch + 1, _t_interval(values)))
            rows.append([row_label(seeds), start_of(seeds[0].facts), epoch + 1, len(values), *points[-1][1]])
        if points:
            lines.append(Curve(row_label(seeds), points, colour=colour))
    title = f"{recipe.title}: {study.collection.name}"
    notes = ["on held-out training queries, never on test queries", *results.notes()]
    table = Table(title, ["system", "start", "epoch", "trainings", *COLUMNS], rows, notes)
    return [table], (lambda path: curves(path, title, lines, ("epoch", "MRR"))) if lines else None


def mean_over_seeds(values: Sequence[Sequence[float]]) -> Point:
    """Return the mean with its 95% interval: over the seeds' means (t), or over the queries (bootstrap) of few seeds.

    Each seed has one value per query, in the same order. The t interval of two seeds would be wider than the scale.
    """
    if len(values) >= FEWEST_SEEDS:
        return _t_interval([float(np.mean(one)) for one in values])
    by_query = np.mean(values, axis=0)
    return (float(by_query.mean()), *bootstrap(by_query.tolist()))


def _t_interval(values: Sequence[float]) -> Point:
    from scipy.stats import t

    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, mean, mean
    half = float(t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))
    return mean, mean - half, mean + half


def _notes(recipe: Recipe, study: Study, results: Results) -> list[str]:
    return [_interval_note(recipe, results), pool_note(study.collection), *results.notes()]


def _interval_note(recipe: Recipe, results: Results) -> str:
    most = max(map(len, results.systems.values()), default=1)
    few = f"over the queries (bootstrap), as there are fewer than {FEWEST_SEEDS} seeds"
    kind = f"over {most} seeds (t)" if most >= FEWEST_SEEDS else few
    paper = f"; the paper averages {recipe.paper_seeds} runs" if recipe.paper_seeds else ""
    return f"intervals of 95% {kind}{paper}"
