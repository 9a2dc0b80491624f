"""Figure of learning curves: systems by the number of training queries, which are drawn with the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lexgear.corpus.records import Collection
from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.measures import parse_measures
from lexgear.evaluation.reproduce.plots import Curve, Point, curves
from lexgear.evaluation.reproduce.recipe import Recipe
from lexgear.evaluation.reproduce.report import Cell, Draw, Table
from lexgear.evaluation.reproduce.results import Results, start_of
from lexgear.evaluation.reproduce.study import ALL, Study
from lexgear.evaluation.reproduce.tables.figures import COLUMNS, FEWEST_SEEDS, mean_over_seeds
from lexgear.evaluation.reproduce.tables.retrieval import pool_note, row_label
from lexgear.training.query_split import split_queries


def curve_sizes(recipe: Recipe, collection: Collection) -> list[int]:
    """Return the numbers of training queries to draw, at most as many as there are."""
    available = len(split_queries(collection, 0.0, 0)[0])
    if not available:
        raise InputError(
            f"{collection.name} has no labelled training query",
            code=ErrorCode.INVALID_ARGUMENT,
            remedy="choose a data set with a training split",
            name=collection.name,
        )
    return list(dict.fromkeys(min(size, available) for size in recipe.sizes))


def with_drawn_queries(collection: Collection, size: int, seed: int) -> Collection:
    """Return the collection with so many of its training queries; a smaller draw is part of a larger one."""
    learnt, _ = split_queries(collection, 0.0, seed)
    drawn = {query.id for query in learnt[:size]}
    queries = tuple(query for query in collection.queries if query.split != "train" or query.id in drawn)
    labels = {query.id: collection.qrels[query.id] for query in queries if query.id in collection.qrels}
    return replace(collection, name=f"{collection.name}-{size}-queries", queries=queries, qrels=labels)


def learning_curve_figure(
    recipe: Recipe, study: Study, found: Mapping[int, Results]
) -> tuple[list[Table], Draw | None]:
    """Return the mean of each system for each number of training queries, with its 95% interval."""
    measures = parse_measures(recipe.measures, study.collection.relevant_from)
    rows: list[list[Cell]] = []
    lines: dict[str, list[tuple[float, Point]]] = {}
    missing: dict[str, None] = {}
    for size, results in found.items():
        missing |= dict.fromkeys(f"{size} training queries, {note}" for note in results.notes())
        for system, seeds in results.systems.items():
            for measure in measures:
                point = mean_over_seeds([list(one.scopes[ALL].values[measure].values()) for one in seeds])
                start = start_of(seeds[0].facts)
                rows.append([row_label(seeds), start, size, repr(measure), len(seeds), *point])
                if measure == measures[-1]:
                    lines.setdefault(system.label, []).append((size, point))
    notes = [
        "training queries are drawn with the seed, and the test queries are the same for all",
        f"intervals of 95% over the seeds (t), or over the queries (bootstrap) if there are fewer than {FEWEST_SEEDS}",
        pool_note(study.collection),
        *missing,
    ]
    title = f"{recipe.title}: {study.collection.name}, {len(study.queries)} test queries"
    table = Table(title, ["system", "start", "training queries", "measure", "seeds", *COLUMNS], rows, notes)
    drawn: Sequence[Curve] = [Curve(label, points, colour) for colour, (label, points) in enumerate(lines.items())]
    axes = ("training queries", repr(measures[-1]))
    return [table], (lambda path: curves(path, title, drawn, axes)) if drawn else None
