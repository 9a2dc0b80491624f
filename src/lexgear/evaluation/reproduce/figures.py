"""The paper's figures: DSI with each part of GEAR, coverage of the charges, validation by epoch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lexgear.evaluation.coverage import Charges
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.reproduce.plots import Point, bars, curves
from lexgear.evaluation.reproduce.recipe import Recipe
from lexgear.evaluation.reproduce.report import Cell, Draw, Grid
from lexgear.evaluation.reproduce.retrieval import Trials, label
from lexgear.evaluation.reproduce.study import Study
from lexgear.evaluation.scope import Scope
from lexgear.evaluation.scoring import score
from lexgear.evaluation.significance import bootstrap

CUTOFFS = (1, 3, 5, 10)
COLUMNS = ("mean", "low", "high")


def ablation(recipe: Recipe, study: Study, trials: Trials) -> tuple[list[Grid], Draw | None]:
    """The mean of each seed, and the 95% interval of their mean over seeds; over queries where there is one seed."""
    collection = study.collection
    measures = parse_measures(recipe.measures, collection.relevant_from)
    own = {query.id: query.own_documents for query in study.queries if query.own_documents}
    scope = Scope({query.id: collection.qrels[query.id] for query in study.queries}, own=own)
    rows: list[list[Cell]] = []
    groups: dict[str, dict[str, Point]] = {repr(measure): {} for measure in measures}
    for system, made in trials.items():
        for measure in measures:
            runs, qrels, _ = scope.apply({str(seed): one.run for seed, one in enumerate(made)})
            values = [list(score(run, qrels, [measure])[measure].values()) for run in runs.values()]
            point = over_seeds(values)
            groups[repr(measure)][label(system, made)] = point
            rows.append([label(system, made), repr(measure), len(made), *point])
    title = f"{recipe.title}: {collection.name}"
    notes = [_over(recipe, [len(made) for made in trials.values()])]
    grid = Grid(title, ["system", "measure", "seeds", *COLUMNS], rows, notes)
    return [grid], lambda path: bars(path, title, groups)


def coverage_figure(recipe: Recipe, study: Study, trials: Trials) -> tuple[list[Grid], Draw | None]:
    """coverage@k by the charges of retrieved documents, as the paper has it, and by those the judgment names."""
    collection = study.collection
    gold = {query.id: query.charges for query in study.queries}
    documents = {document.id: document.charges for document in collection.documents}
    rows: list[list[Cell]] = []
    lines: dict[str, list[tuple[float, Point]]] = {}
    for system, made in trials.items():
        for how in ("coverage", "coverage_judgment"):
            judged = {str(seed): one.facts.get("judged") for seed, one in enumerate(made)}
            charges = Charges(gold, documents, {name: found for name, found in judged.items() if found})
            for cutoff in CUTOFFS:
                measure = Measure(how, cutoff=cutoff)
                values = [charges.score(str(seed), one.run, measure) for seed, one in enumerate(made)]
                if not all(values):
                    continue
                point = over_seeds([list(one.values()) for one in values])
                by = "the judgment" if how == "coverage_judgment" else "retrieved documents"
                lines.setdefault(f"{label(system, made)}, by {by}", []).append((cutoff, point))
                rows.append([label(system, made), by, cutoff, len(made), *point])
    title = f"{recipe.title}: {collection.name}"
    notes = [_over(recipe, [len(made) for made in trials.values()])]
    grid = Grid(title, ["system", "by", "k", "seeds", *COLUMNS], rows, notes)
    return [grid], lambda path: curves(path, title, lines, ("k", "coverage@k"))


def convergence(recipe: Recipe, study: Study, trials: Trials) -> tuple[list[Grid], Draw | None]:
    """The validation MRR of every epoch, the mean over seeds and folds with the 95% interval of it."""
    rows: list[list[Cell]] = []
    lines: dict[str, list[tuple[float, Point]]] = {}
    for system, made in trials.items():
        logs = [values for one in made for values in one.facts.get("validation", []) if values]
        for epoch in range(max(map(len, logs), default=0)):
            values = [log[epoch] for log in logs if epoch < len(log)]
            point = _interval(values)
            lines.setdefault(label(system, made), []).append((epoch + 1, point))
            rows.append([label(system, made), epoch + 1, len(values), *point])
    title = f"{recipe.title}: {study.collection.name}"
    grid = Grid(
        title, ["system", "epoch", "trainings", *COLUMNS], rows, ["on training queries held out, never on test"]
    )
    return [grid], (lambda path: curves(path, title, lines, ("epoch", "MRR"))) if lines else None


def over_seeds(values: Sequence[Sequence[float]]) -> Point:
    """Mean and 95% interval: of the seeds' means where there are several (t), else over the queries (bootstrap)."""
    if len(values) > 1:
        return _interval([float(np.mean(one)) for one in values])
    return (float(np.mean(values[0])), *bootstrap(list(values[0])))


def _interval(values: Sequence[float]) -> Point:
    from scipy.stats import t

    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, mean, mean
    half = float(t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))
    return mean, mean - half, mean + half


def _over(recipe: Recipe, seeds: Sequence[int]) -> str:
    most = max(seeds)
    kind = f"over {most} seeds (t)" if most > 1 else "over the queries (bootstrap), as there is one seed"
    return f"intervals of 95% {kind}; the paper averages {recipe.paper_seeds} runs"
