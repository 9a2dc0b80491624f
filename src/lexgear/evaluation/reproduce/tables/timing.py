"""Table of inference times: all systems answer the same query in turn, so that a noisy machine affects all alike."""

from __future__ import annotations

import time
from collections.abc import Sequence
from platform import processor
from typing import Any

import numpy as np

from lexgear.corpus.records import Query
from lexgear.evaluation.reproduce.plots import Point, intervals
from lexgear.evaluation.reproduce.recipe import Recipe, System
from lexgear.evaluation.reproduce.report import Cell, Draw, Table
from lexgear.evaluation.reproduce.results import start_of
from lexgear.evaluation.reproduce.study import Study
from lexgear.evaluation.significance import bootstrap
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker
from lexgear.settings import settings_row

K, QUERIES = 10, 50
"""Documents per query, and queries at most."""
PAPER = {"gear-paper": "59 / 20", "dsi": "73 / 27", "dsi_qg": "73 / 26", "ultron": "111 / 32"}
"""Milliseconds on ELAM and LeCaRDv2 with 30 beams on one RTX A6000."""


def timing_table(
    recipe: Recipe, study: Study, systems: Sequence[System], progress: Progress = silent
) -> tuple[list[Table], Draw | None]:
    """Return milliseconds per query with 95% intervals; each system is trained once."""
    rankers: dict[str, Ranker] = {}
    for done, system in enumerate(systems):
        progress(done, len(systems) + 1, system.label)
        rankers[system.name] = system.make_ranker(0, study.profile).fit(study.collection)
    progress(len(systems), len(systems) + 1, "searching")
    times = search_times(rankers, study.queries[:QUERIES])
    points: dict[str, Point] = {}
    rows: list[list[Cell]] = []
    for system in systems:
        values = times[system.name]
        points[system.label] = (float(np.mean(values)), *bootstrap(values))
        about = _about(settings_row(rankers[system.name].settings))
        rows.append([system.label, *about, *points[system.label], float(np.median(values)), PAPER.get(system.name)])
    columns = ["system", "start", "search", "tokens", "mean ms", "low", "high", "median ms", "paper, ELAM / LeCaRDv2"]
    title = f"{recipe.title}: {study.collection.name}, {len(next(iter(times.values())))} queries, first {K} documents"
    notes = [
        f"measured on {_machine()}, systems in turn, one query at a time; 95% bootstrap intervals over the queries",
        "the paper's times are of another machine and of 30 beams: compare ratios within a column",
        "tokens: the longest input of the model; search: beams, or exact over the whole tree",
    ]
    return [Table(title, columns, rows, notes)], lambda path: intervals(path, f"{title} (ms)", points)


def search_times(rankers: dict[str, Ranker], queries: Sequence[Query]) -> dict[str, list[float]]:
    """Return the milliseconds of every query by every ranker; the first query is a warm-up and does not count."""
    times: dict[str, list[float]] = {name: [] for name in rankers}
    for number, query in enumerate([*queries[:1], *queries]):
        for name, ranker in rankers.items():
            start = time.perf_counter()
            ranker.search([query], K)
            if number:
                times[name].append(1000 * (time.perf_counter() - start))
    return times


def _about(settings: dict[str, Any]) -> list[Cell]:
    """Return what a model started from, how it searches, and how much text it reads."""
    search = settings.get("search")
    return [
        start_of({"settings": settings}),
        f"{settings['num_beams']} beams" if search == "beam" else search,
        settings.get("max_length"),
    ]


def _machine() -> str:
    import torch

    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    return f"{torch.get_num_threads()} threads of {processor() or 'a CPU'}"
