"""Tuning: the best point is chosen, nothing is run twice, and no test query is read."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lexgear.corpus.records import Collection, Query
from lexgear.errors import InputError
from lexgear.evaluation.measures import Measure
from lexgear.evaluation.tuning import PAPER_GRID, Tuning, best_trial, parse_grid, settings_toml, trials_table
from lexgear.files import read_jsonl
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.training_run import validation_mrr
from lexgear.rankers.words.bm25 import BM25, BM25Settings
from lexgear.settings import changed, settings_from, settings_row
from lexgear.training.loop import DivergedError
from training.small_collection import GEAR, small_collection

COLLECTION, SMALL = small_collection(120), small_collection()
RR = Measure("RR", rel=COLLECTION.relevant_from)
GRID = {"k1": ["0.5", "1.5", "3.0"], "b": ["0.0", "0.75"]}


def tuning(
    out: Path, collection: Collection = COLLECTION, ranker: Ranker | None = None, progress: Progress = silent
) -> Tuning:
    return Tuning(collection, ranker or BM25(), RR, out, progress)


def test_every_combination_is_tried_and_the_best_wins(tmp_path: Path) -> None:
    trials = tuning(tmp_path / "grid.jsonl").try_all(GRID)
    assert [(trial.settings.k1, trial.settings.b) for trial in trials] == [
        (k1, b) for k1 in (0.5, 1.5, 3.0) for b in (0.0, 0.75)
    ]
    values = [trial.value or 0.0 for trial in trials]
    assert len(set(values)) > 1
    assert best_trial(trials).value == max(values)


def test_a_value_is_what_training_without_the_held_out_queries_gives_on_them(tmp_path: Path) -> None:
    tuned = tuning(tmp_path / "grid.jsonl", SMALL, Gear(GEAR))
    [trial] = tuned.try_all({"learning_rate": ["0.01"]})
    asked = tuned.validation.queries
    assert len(asked) == round(sum(query.split == "train" for query in SMALL.queries) / 4)
    shown = [query for query in SMALL.queries if query.split == "train" and query not in asked]
    order = {query.id: place for place, query in enumerate(tuned.training.queries)}
    shown.sort(key=lambda query: order[query.id])
    ranker = Gear(changed(GEAR, learning_rate=0.01)).fit(replace(SMALL, queries=tuple(shown)))
    assert trial.value == pytest.approx(
        validation_mrr(ranker, SMALL, asked), abs=0.01
    )  # mrr looks at the first 100 alone


def test_one_setting_after_the_other_keeps_the_best_so_far(tmp_path: Path) -> None:
    every = tuning(tmp_path / "all.jsonl").try_all(GRID)
    value = {trial.settings: trial.value or 0.0 for trial in every}
    trials = tuning(tmp_path / "some.jsonl").try_one_by_one(GRID)
    first = [BM25Settings(k1=k1) for k1 in (0.5, 1.5, 3.0)]
    kept = max(first, key=lambda settings: value[settings])
    assert [trial.settings for trial in trials] == [*first, replace(kept, b=0.0)]  # b = 0.75 was the start: known
    assert best_trial(trials).value == max(value[settings] for settings in (kept, replace(kept, b=0.0)))


def test_what_is_in_the_file_is_not_run_again(tmp_path: Path) -> None:
    out = tmp_path / "grid.jsonl"

    class StoppedError(Exception):
        pass

    def stop(done: int, total: int | None, note: str = "") -> None:
        if done == 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        tuning(out, progress=stop).try_all(GRID)
    kept = out.read_text()
    assert len(kept.splitlines()) == 2
    ran: list[int] = []
    trials = tuning(out, progress=lambda done, total, note="": ran.append(done)).try_all(GRID)
    assert min(ran) == 2
    assert out.read_text().startswith(kept)
    assert trials == tuning(tmp_path / "whole.jsonl").try_all(GRID)
    ran.clear()
    assert tuning(out, progress=lambda done, total, note="": ran.append(done)).try_all(GRID) == trials
    assert ran == []


def test_results_on_other_data_or_by_another_measure_are_run_and_kept_beside(tmp_path: Path) -> None:
    out, grid = tmp_path / "grid.jsonl", {"k1": ["1.0"]}
    tuning(out).try_all(grid)
    tuning(out, small_collection(119)).try_all(grid)
    Tuning(COLLECTION, BM25(), Measure("R", cutoff=5), out).try_all(grid)
    assert len(list(read_jsonl(out))) == 3


def test_neither_texts_nor_labels_of_test_queries_are_read(tmp_path: Path) -> None:
    def hidden(query: Query) -> Query:
        return replace(query, text="另一段", charges=("放火罪",)) if query.split == "test" else query

    train = {query.id for query in SMALL.queries if query.split == "train"}
    without = {query: grades for query, grades in SMALL.qrels.items() if query in train}
    wrong = {query.id: {SMALL.documents[0].id: 3} for query in SMALL.queries} | without
    tests = tuple(map(hidden, SMALL.queries))
    variants: Sequence[Collection] = (
        SMALL,
        replace(SMALL, queries=tests, qrels=wrong),
        replace(SMALL, queries=tuple(query for query in tests if query.split == "train"), qrels=without),
    )
    files = [tmp_path / f"{number}.jsonl" for number in range(len(variants))]
    for collection, file in zip(variants, files, strict=True):
        tuning(file, collection, Gear(GEAR)).try_all({"learning_rate": ["0.01"]})
    assert len({file.read_bytes() for file in files}) == 1


class Fragile(BM25):
    """Breaks for some settings, as training with too high a rate does."""

    def _fit(self, collection: Collection, progress: Progress) -> "Fragile":
        if self.settings.k1 > 2:
            raise DivergedError("training broke at epoch 1")
        return super()._fit(collection, progress)


def test_a_point_where_training_breaks_is_said_and_the_others_go_on(tmp_path: Path) -> None:
    out = tmp_path / "grid.jsonl"
    trials = tuning(out, ranker=Fragile()).try_all({"k1": ["3.0", "1.0"]})
    assert [trial.value is None for trial in trials] == [True, False]
    assert best_trial(trials).settings.k1 == 1.0
    assert [row["problem"] for _, row in read_jsonl(out)] == ["training broke at epoch 1", ""]
    with pytest.raises(InputError, match="every point"):
        best_trial(tuning(out, ranker=Fragile()).try_all({"k1": ["3.0"]}))


def test_the_best_settings_are_a_file_that_training_takes() -> None:
    settings = changed(GEAR, learning_rate=1e-5, search="beam", rationale=False)
    assert settings_from(type(settings), tomllib.loads(settings_toml(settings))) == settings


def test_the_table_shows_every_point(tmp_path: Path) -> None:
    trials = tuning(tmp_path / "grid.jsonl").try_all(GRID)
    table = trials_table(trials, GRID, RR)
    assert [str(column.header) for column in table.columns] == ["k1", "b", repr(RR)]
    assert [bool(row.style) for row in table.rows].index(True) == trials.index(best_trial(trials))


def test_the_papers_grid_is_the_papers() -> None:
    assert [float(value) for value in PAPER_GRID["learning_rate"]] == [1e-5, 3e-5, 5e-5, 7e-5, 9e-5]
    assert [float(value) for value in PAPER_GRID["gamma_h"]] == [0.01, 0.1]
    assert [float(value) for value in PAPER_GRID["lambda_w"]] == [1, 10, 100]
    steps = [float(value) for value in PAPER_GRID["lambda_l"]]
    assert steps == pytest.approx([1e-4 + 5e-4 * step for step in range(20)])
    for name, values in PAPER_GRID.items():
        for value in values:
            assert settings_row(settings_from(type(GEAR), {name: value}))[name] == float(value)


@pytest.mark.parametrize("written", ["rate", "rate=", "rate=,", ""])
def test_a_grid_that_is_none_is_refused(written: str) -> None:
    with pytest.raises(InputError, match="the grid entry"):
        parse_grid([written])


def test_a_setting_given_twice_is_refused() -> None:
    with pytest.raises(InputError, match="twice"):
        parse_grid(["k1=1", "k1=2"])


def test_bad_values_are_refused_before_anything_is_trained(tmp_path: Path) -> None:
    for way in (tuning(tmp_path / "grid.jsonl").try_all, tuning(tmp_path / "grid.jsonl").try_one_by_one):
        with pytest.raises(InputError, match="setting b"):
            way({"k1": ["1"], "b": ["0.5", "7"]})
    assert (tmp_path / "grid.jsonl").read_text() == ""


def test_too_few_training_queries_are_refused(tmp_path: Path) -> None:
    tests = tuple(query for query in COLLECTION.queries if query.split == "test")
    with pytest.raises(InputError, match="0 labelled training queries"):
        tuning(tmp_path / "grid.jsonl", replace(COLLECTION, queries=tests))


def test_a_file_of_something_else_is_refused_and_stays(tmp_path: Path) -> None:
    out = tmp_path / "queries.jsonl"
    out.write_text('{"id": "1"}\n')
    with pytest.raises(InputError, match=r"queries\.jsonl:1: not a result of a grid search"):
        tuning(out)
    assert out.read_text() == '{"id": "1"}\n'
