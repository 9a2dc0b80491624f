"""The paper's figures: DSI with each part of GEAR, coverage of the charges, validation MRR by epoch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lexgear.evaluation.coverage import Charges
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.reproduce.plots import Curve, Point, bars, curves
from lexgear.evaluation.reproduce.recipe import Recipe
from lexgear.evaluation.reproduce.report import Cell, Draw, Table
from lexgear.evaluation.reproduce.study import Study, SystemRuns
from lexgear.evaluation.reproduce.tables.retrieval import row_label, study_scope
from lexgear.evaluation.scoring import score
from lexgear.evaluation.significance import bootstrap

CUTOFFS = (1, 3, 5, 10)
COLUMNS = ("mean", "low", "high")


def ablation_figure(recipe: Recipe, study: Study, runs: SystemRuns) -> tuple[list[Table], Draw | None]:
    """Return the mean of each system with its 95% interval over seeds, or over queries if there is one seed."""
    collection = study.collection
    measures = parse_measures(recipe.measures, collection.relevant_from)
    scope = study_scope(study)
    rows: list[list[Cell]] = []
    groups: dict[str, dict[str, Point]] = {repr(measure): {} for measure in measures}
    for seeds in runs.values():
        for measure in measures:
            inside, qrels, _ = scope.apply({str(seed): one.run for seed, one in enumerate(seeds)})
            values = [list(score(run, qrels, [measure])[measure].values()) for run in inside.values()]
            point = mean_over_seeds(values)
            groups[repr(measure)][row_label(seeds)] = point
            rows.append([row_label(seeds), repr(measure), len(seeds), *point])
    title = f"{recipe.title}: {collection.name}"
    table = Table(title, ["system", "measure", "seeds", *COLUMNS], rows, [_interval_note(recipe, runs)])
    return [table], lambda path: bars(path, title, groups)


def coverage_figure(recipe: Recipe, study: Study, runs: SystemRuns) -> tuple[list[Table], Draw | None]:
    """Return coverage@k by the charges of retrieved documents, as in the paper, and by the predicted charges."""
    collection = study.collection
    gold = {query.id: query.charges for query in study.queries}
    documents = {document.id: document.charges for document in collection.documents}
    rows: list[list[Cell]] = []
    lines: list[Curve] = []
    for colour, seeds in enumerate(runs.values()):
        judged = {str(seed): one.facts.get("judged") for seed, one in enumerate(seeds)}
        charges = Charges(gold, documents, {name: found for name, found in judged.items() if found})
        for name, source in (("coverage", "retrieved documents"), ("coverage_judgment", "the judgment")):
            points: list[tuple[float, Point]] = []
            for cutoff in CUTOFFS:
                measure = Measure(name, cutoff=cutoff)
                values = [charges.score(str(seed), one.run, measure) for seed, one in enumerate(seeds)]
                if all(values):
                    points.append((cutoff, mean_over_seeds([list(one.values()) for one in values])))
            label = row_label(seeds)
            if points:
                dashed = name == "coverage_judgment"
                lines.append(Curve(f"{label}, by {source}", points, colour=colour, dashed=dashed))
            rows += [[label, source, int(cutoff), len(seeds), *point] for cutoff, point in points]
    title = f"{recipe.title}: {collection.name}"
    table = Table(title, ["system", "by", "k", "seeds", *COLUMNS], rows, [_interval_note(recipe, runs)])
    return [table], lambda path: curves(path, title, lines, ("k", "coverage@k"))


def convergence_figure(recipe: Recipe, study: Study, runs: SystemRuns) -> tuple[list[Table], Draw | None]:
    """Return the validation MRR of every epoch: the mean over seeds and folds with its 95% interval."""
    rows: list[list[Cell]] = []
    lines: list[Curve] = []
    for colour, seeds in enumerate(runs.values()):
        logs = [values for one in seeds for values in one.facts.get("validation", []) if values]
        points: list[tuple[float, Point]] = []
        for epoch in range(max(map(len, logs), default=0)):
            values = [log[epoch] for log in logs if epoch < len(log)]
            points.append((epoch + 1, _t_interval(values)))
            rows.append([row_label(seeds), epoch + 1, len(values), *points[-1][1]])
        if points:
            lines.append(Curve(row_label(seeds), points, colour=colour))
    title = f"{recipe.title}: {study.collection.name}"
    notes = ["on held-out training queries, never on test queries"]
    table = Table(title, ["system", "epoch", "trainings", *COLUMNS], rows, notes)
    return [table], (lambda path: curves(path, title, lines, ("epoch", "MRR"))) if lines else None


def mean_over_seeds(values: Sequence[Sequence[float]]) -> Point:
    """Return the mean with its 95% interval: over the seeds' means (t), or over the queries (bootstrap) of one seed."""
    if len(values) > 1:
        return _t_interval([float(np.mean(one)) for one in values])
    return (float(np.mean(values[0])), *bootstrap(list(values[0])))


def _t_interval(values: Sequence[float]) -> Point:
    from scipy.stats import t

    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, mean, mean
    half = float(t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))
    return mean, mean - half, mean + half


def _interval_note(recipe: Recipe, runs: SystemRuns) -> str:
    most = max(map(len, runs.values()))
    kind = f"over {most} seeds (t)" if most > 1 else "over the queries (bootstrap), as there is one seed"
    return f"intervals of 95% {kind}; the paper averages {recipe.paper_seeds} runs"
