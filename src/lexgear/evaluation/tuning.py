"""Grid search over settings: train on some training queries, measure on the others, never on test queries.

All points use the same split, so that they can be compared. Rankers never see the queries held out here; they may hold
out more themselves. Every result is written to a file at once, so that an interrupted search can resume.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from lexgear.atomic import atomic_file
from lexgear.corpus.records import Collection, Query
from lexgear.errors import ErrorCode, InputError
from lexgear.evaluation.experiment import experiment
from lexgear.evaluation.measures import Measure
from lexgear.files import dumps, read_jsonl
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker
from lexgear.settings import settings_from, settings_row
from lexgear.training.loop import DivergedError
from lexgear.training.query_split import split_queries
from lexgear.training.workspace import fingerprint

if TYPE_CHECKING:
    from rich.table import Table

Grid: TypeAlias = Mapping[str, Sequence[str]]
"""setting → values to try, as text."""

HELD_OUT, SEED = 0.25, 0
"""Share of the training queries that is held out, and the seed that selects them."""

PAPER_GRID: Grid = {
    "learning_rate": [f"{step}e-5" for step in range(1, 10, 2)],
    "gamma_h": ["0.01", "0.1"],
    "lambda_w": ["1", "10", "100"],
    "lambda_l": [f"{step}e-4" for step in range(1, 101, 5)],
}
"""The grid of GEAR's authors (section 5.1), 600 points in all; their rates are for a pretrained backbone."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One point of the grid: its settings and the mean value, or None if training failed."""

    settings: Any
    value: float | None
    problem: str = ""


@dataclass
class Tuning:
    """Grid search for the settings of a ranker, with every result in a JSON lines file."""

    collection: Collection
    ranker: Ranker
    """The ranker with the settings from which the grid starts."""
    measure: Measure
    out: Path
    progress: Progress = silent
    training: Collection = field(init=False)
    """The documents and the training queries that are not held out."""
    validation: Collection = field(init=False)
    """The documents and the training queries that are held out."""

    def __post_init__(self) -> None:
        parts = split_queries(self.collection, HELD_OUT, SEED)
        self.training, self.validation = (_with_queries(self.collection, queries) for queries in parts)
        if not self.validation.queries:
            raise InputError(
                f"{self.collection.name} has {len(self.training.queries)} labelled training queries",
                code=ErrorCode.NOTHING_TO_LEARN,
                remedy='tuning needs at least three queries with "split": "train" and a relevant document',
                name=self.collection.name,
            )
        self._data = fingerprint(self.training, fingerprint(self.validation), self.ranker.name, repr(self.measure))
        self._rows = list(_read_rows(self.out))
        self._write()  # if the file cannot be written, fail before training

    def try_all(self, grid: Grid) -> list[Trial]:
        """Try every combination of values."""
        points = [self._settings(dict(zip(grid, values, strict=True))) for values in product(*grid.values())]
        return [self._trial(settings, grid, place, len(points)) for place, settings in enumerate(points)]

    def try_one_by_one(self, grid: Grid) -> list[Trial]:
        """Try the values of one setting after the other, each time starting from the best settings so far."""
        total, count = sum(map(len, grid.values())), 0
        for name, values in grid.items():
            for value in values:
                self._settings({name: value})  # raise errors before training starts
        trials: dict[Any, Trial] = {}
        for name, values in grid.items():
            start = settings_row(best_trial(trials.values()).settings) if trials else {}
            for value in values:
                settings = self._settings(start | {name: value})
                trials[settings] = self._trial(settings, grid, count, total)
                count += 1
        return list(trials.values())

    def _settings(self, values: Mapping[str, Any]) -> Any:
        return settings_from(self.ranker.settings_type, {**settings_row(self.ranker.settings), **values})

    def _trial(self, settings: Any, grid: Grid, place: int, total: int) -> Trial:
        """Return the result of some settings from the file, or train."""
        point = " ".join(f"{name}={settings_row(settings)[name]}" for name in grid)
        for row in self._rows:
            if row["data"] == self._data and row["settings"] == settings_row(settings):
                return Trial(settings, row["value"], row["problem"])
        self.progress(place, total, point)
        try:
            ranker = type(self.ranker)(settings).fit(
                self.training, lambda _done, _total, note="": self.progress(place, total, f"{point} {note}")
            )
            trial = Trial(settings, self._value(ranker))
        except DivergedError as error:
            trial = Trial(settings, None, error.problem)
        self._keep(trial)
        self.progress(place + 1, total, point)
        return trial

    def _value(self, ranker: Ranker) -> float:
        name = ranker.name
        found = experiment(self.validation, {}, [self.measure], queries=self.validation.queries, fitted={name: ranker})
        if (name, self.measure) not in found.cells:
            raise InputError(
                f"{self.measure} has no value for any of the {len(self.validation.queries)} held-out queries",
                code=ErrorCode.INVALID_ARGUMENT,
                remedy="choose another measure",
                name=repr(self.measure),
            )
        return found.cells[name, self.measure].mean

    def _keep(self, trial: Trial) -> None:
        point = {"ranker": self.ranker.name, "measure": repr(self.measure), "queries": len(self.validation.queries)}
        result = {"value": trial.value, "problem": trial.problem, "settings": settings_row(trial.settings)}
        self._rows.append(point | result | {"data": self._data})
        self._write()

    def _write(self) -> None:
        with atomic_file(self.out) as file:
            file.writelines(f"{dumps(row)}\n" for row in self._rows)


def best_trial(trials: Iterable[Trial]) -> Trial:
    """Return the trial with the highest value, the first of equals."""
    worked = [trial for trial in trials if trial.value is not None]
    if not worked:
        raise InputError(
            "training failed at every point of the grid",
            code=ErrorCode.INVALID_SETTING,
            remedy="try lower learning rates",
        )
    return max(worked, key=lambda trial: trial.value or 0.0)


def parse_grid(entries: Iterable[str]) -> Grid:
    """Read a grid from texts of the form `name=value,value,…`.

    >>> parse_grid(["learning_rate=0.001,0.003", "gamma_h=0.1"])
    {'learning_rate': ['0.001', '0.003'], 'gamma_h': ['0.1']}
    """
    grid: dict[str, list[str]] = {}
    for text in entries:
        name, _, values = text.partition("=")
        given = [value.strip() for value in values.split(",") if value.strip()]
        if not given or name.strip() in grid:
            problem = "gives a setting twice" if given else "is not name=value,value,…"
            raise InputError(
                f"the grid entry {text!r} {problem}",
                code=ErrorCode.INVALID_ARGUMENT,
                remedy="write each setting once, for example learning_rate=0.001,0.003",
                value=text,
            )
        grid[name.strip()] = given
    return grid


def settings_toml(settings: Any) -> str:
    """Return settings as a TOML file that training can read."""
    return "".join(f"{name} = {dumps(value)}\n" for name, value in settings_row(settings).items())


def trials_table(trials: Sequence[Trial], grid: Grid, measure: Measure) -> Table:
    """Return a table for `rich.print`: one row per point in the order of trials, the best in bold."""
    from rich.table import Table
    from rich.text import Text

    table, best = Table(*grid), best_trial(trials)
    table.add_column(Text(repr(measure)), justify="right", overflow="fold")
    for trial in trials:
        value = trial.problem if trial.value is None else f"{trial.value:.4f}"
        cells = [str(settings_row(trial.settings)[name]) for name in grid]
        table.add_row(*map(Text, (*cells, value)), style="bold" if trial is best else "")
    return table


def _with_queries(collection: Collection, queries: Sequence[Query]) -> Collection:
    qrels = {query.id: collection.qrels[query.id] for query in queries}
    return replace(collection, queries=tuple(queries), qrels=qrels, pools={})


def _read_rows(path: Path) -> Iterator[dict[str, Any]]:
    for line, row in read_jsonl(path) if path.exists() else ():
        if not {"data", "settings", "value", "problem"} <= row.keys():
            raise InputError(
                "not a result of a grid search",
                code=ErrorCode.OUTPUT_OCCUPIED,
                file=path,
                line=line,
                remedy="choose another file",
            )
        yield row
