"""A grid over settings: every point learns from some training queries and is measured on others. Never on a test query.

One split serves all points, so that they can be compared; what is held out here is not even shown to a ranker, which
may hold out more of its own. Results are kept in a file as they come: a tuning that was stopped goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from lexgear.atomic import atomic_file
from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
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
"""setting → the values to try, as one types them."""

HELD_OUT, SEED = 0.25, 0
"""Of the split: the share of the training queries that is measured on, and which ones."""

PAPER_GRID: Grid = {
    "rate": [f"{step}e-5" for step in range(1, 10, 2)],
    "gamma_h": ["0.01", "0.1"],
    "lambda_w": ["1", "10", "100"],
    "lambda_l": [f"{step}e-4" for step in range(1, 101, 5)],
}
"""What GEAR's authors tuned over (section 5.1), 600 points in all; their rates are for a pretrained backbone."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One point of the grid: its settings and the mean value they gave; None where training broke."""

    settings: Any
    value: float | None
    problem: str = ""


@dataclass
class Tuning:
    """Tries settings of a ranker and keeps every result in a file of JSON lines."""

    collection: Collection
    ranker: Ranker
    """With the settings that the grid starts from."""
    measure: Measure
    out: Path
    progress: Progress = silent
    learnt: Collection = field(init=False)
    """What rankers are shown: the documents, and the training queries that are not held out."""
    asked: Collection = field(init=False)
    """The training queries that are held out."""

    def __post_init__(self) -> None:
        parts = split_queries(self.collection, HELD_OUT, SEED)
        self.learnt, self.asked = (_with_queries(self.collection, queries) for queries in parts)
        if not self.asked.queries:
            problem = f"{self.collection.name} has {len(self.learnt.queries)} labelled training queries"
            raise InputError(
                problem, remedy='to tune takes at least three with "split": "train" and a relevant document'
            )
        self._data = fingerprint(self.learnt, fingerprint(self.asked), self.ranker.name, repr(self.measure))
        self._rows = list(_read_rows(self.out))
        self._write()  # fails before the first hour of training rather than after it

    def over_product(self, grid: Grid) -> list[Trial]:
        """Tries every combination of values."""
        points = [self._settings(dict(zip(grid, values, strict=True))) for values in product(*grid.values())]
        return [self._trial(settings, grid, place, len(points)) for place, settings in enumerate(points)]

    def one_by_one(self, grid: Grid) -> list[Trial]:
        """Tries the values of one setting after the other, each time keeping the best settings so far."""
        total, count = sum(map(len, grid.values())), 0
        for name, values in grid.items():
            for value in values:
                self._settings({name: value})  # bad ones are refused before the first is trained
        trials: dict[Any, Trial] = {}
        for name, values in grid.items():
            start = settings_row(best_of(trials.values()).settings) if trials else {}
            for value in values:
                settings = self._settings(start | {name: value})
                trials[settings] = self._trial(settings, grid, count, total)
                count += 1
        return list(trials.values())

    def _settings(self, values: Mapping[str, Any]) -> Any:
        return settings_from(self.ranker.settings_type, {**settings_row(self.ranker.settings), **values})

    def _trial(self, settings: Any, grid: Grid, place: int, total: int) -> Trial:
        """The result of some settings: what the file says, or what training gives."""
        point = " ".join(f"{name}={getattr(settings, name)}" for name in grid)
        for row in self._rows:
            if row["data"] == self._data and row["settings"] == settings_row(settings):
                return Trial(settings, row["value"], row["problem"])
        self.progress(place, total, point)
        try:
            ranker = type(self.ranker)(settings).fit(
                self.learnt, lambda _done, _total, note="": self.progress(place, total, f"{point} {note}")
            )
            trial = Trial(settings, self._value(ranker))
        except DivergedError as error:
            trial = Trial(settings, None, error.problem)
        self._keep(trial)
        self.progress(place + 1, total, point)
        return trial

    def _value(self, ranker: Ranker) -> float:
        name = ranker.name
        found = experiment(self.asked, {}, [self.measure], queries=self.asked.queries, fitted={name: ranker})
        if (name, self.measure) not in found.cells:
            raise InputError(f"{self.measure} has no value for any of the {len(self.asked.queries)} queries held out")
        return found.cells[name, self.measure].mean

    def _keep(self, trial: Trial) -> None:
        said = {"ranker": self.ranker.name, "measure": repr(self.measure), "queries": len(self.asked.queries)}
        result = {"value": trial.value, "problem": trial.problem, "settings": settings_row(trial.settings)}
        self._rows.append(said | result | {"data": self._data})
        self._write()

    def _write(self) -> None:
        with atomic_file(self.out) as file:
            file.writelines(f"{dumps(row)}\n" for row in self._rows)


def best_of(trials: Iterable[Trial]) -> Trial:
    """The trial with the highest value, the first of equals."""
    worked = [trial for trial in trials if trial.value is not None]
    if not worked:
        raise InputError("training broke at every point of the grid", remedy="try lower rates")
    return max(worked, key=lambda trial: trial.value or 0.0)


def parse_grid(written: Iterable[str]) -> Grid:
    """A grid as one types it.

    >>> parse_grid(["rate=0.001,0.003", "gamma_h=0.1"])
    {'rate': ['0.001', '0.003'], 'gamma_h': ['0.1']}
    """
    grid: dict[str, list[str]] = {}
    for text in written:
        name, _, values = text.partition("=")
        given = [value.strip() for value in values.split(",") if value.strip()]
        if not given or name.strip() in grid:
            problem = "gives a setting twice" if given else "is not name=value,value,…"
            raise InputError(f"--grid {text!r} {problem}", remedy="such as --grid rate=0.001,0.003, once a setting")
        grid[name.strip()] = given
    return grid


def settings_toml(settings: Any) -> str:
    """Settings as a file for `--config`."""
    return "".join(f"{name} = {dumps(value)}\n" for name, value in settings_row(settings).items())


def trials_table(trials: Sequence[Trial], grid: Grid, measure: Measure) -> Table:
    """A table for `rich.print`: a row a point in the order tried, the best one in bold."""
    from rich.table import Table
    from rich.text import Text

    table, best = Table(*grid), best_of(trials)
    table.add_column(Text(repr(measure)), justify="right", overflow="fold")
    for trial in trials:
        value = trial.problem if trial.value is None else f"{trial.value:.4f}"
        cells = [f"{getattr(trial.settings, name)}" for name in grid]
        table.add_row(*map(Text, (*cells, value)), style="bold" if trial is best else "")
    return table


def _with_queries(collection: Collection, queries: Sequence[Query]) -> Collection:
    qrels = {query.id: collection.qrels[query.id] for query in queries}
    return replace(collection, queries=tuple(queries), qrels=qrels, pools={})


def _read_rows(path: Path) -> Iterator[dict[str, Any]]:
    for line, row in read_jsonl(path) if path.exists() else ():
        if not {"data", "settings", "value", "problem"} <= row.keys():
            raise InputError("not a result of lexgear tune", file=path, line=line, remedy="name another --out")
        yield row
