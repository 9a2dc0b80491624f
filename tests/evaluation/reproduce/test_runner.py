"""A report from end to end on the smallest data there is; runs are kept, and made again where something changed."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lexgear.corpus.records import Collection
from lexgear.errors import InputError
from lexgear.evaluation.comparison import compare
from lexgear.evaluation.measures import Measure
from lexgear.evaluation.notes import Note
from lexgear.evaluation.reproduce.data import load_data
from lexgear.evaluation.reproduce.recipe import Profile, recipes
from lexgear.evaluation.reproduce.run_facts import reached_plateau
from lexgear.evaluation.reproduce.runner import RecipeRequest, run_recipe
from lexgear.evaluation.reproduce.study import Study
from lexgear.evaluation.reproduce.tables.retrieval import table_notes
from lexgear.rankers.words.bm25 import BM25
from lexgear.trec import read_run


@pytest.fixture(scope="module")
def tiny() -> Collection:
    return load_data("tiny")


def requested(tiny: Collection, place: Path, recipe: str, *systems: str, **options: Any) -> RecipeRequest:
    options = {"seeds": 2, **options}
    return RecipeRequest(
        recipes().recipe(recipe), [tiny], place / "runs", place / "results", systems=systems, **options
    )


def test_a_table_leaves_its_runs_and_its_numbers_in_four_formats(tiny: Collection, tmp_path: Path) -> None:
    request = requested(tiny, tmp_path, "table-retrieval", "random", "gold_charge_random", "bm25", "dsi", "gear")
    run_recipe(request, tmp_path / "out")
    written = list((tmp_path / "out").iterdir())
    assert {"table-retrieval.md", "table-retrieval.json", "table-retrieval.csv", "table-retrieval.png"} <= {
        path.name for path in written
    }
    runs = {path.stem: read_run(path) for path in (tmp_path / "out" / "runs").iterdir()}
    assert set(runs) == {
        "bm25-0",
        *(f"{one}-{n}" for one in ("random", "gold_charge_random", "dsi", "gear") for n in (0, 1)),
    }
    assert runs["gear-0"] != runs["gear-1"]
    text = (tmp_path / "out" / "table-retrieval.md").read_text(encoding="utf-8")
    assert "the paper averages 10 runs" in text
    assert "GEAR †" in text  # an epoch is no plateau
    table = json.loads((tmp_path / "out" / "table-retrieval.json").read_text(encoding="utf-8"))["tables"][-1]
    cost = {row[0]: dict(zip(table["columns"], row, strict=True)) for row in table["rows"]}
    assert cost["GEAR †"]["steps"] > 0
    assert cost["GEAR †"]["tokens"] > 0
    assert cost["BM25"]["seeds"] == 1  # nothing is drawn
    assert 0 <= cost["GEAR †"]["indexing accuracy"] <= 1


def test_what_is_true_of_several_rows_is_said_once() -> None:
    values = {(name, Measure("RR")): {"q": 0.5, "r": 0.25} for name in ("bm25", "gear", "dsi")}
    notes = [
        Note("labels left out: 6"),
        Note("1 query not ranked", ("bm25",)),
        Note("2 queries not ranked", ("gear",)),
        Note("1 query not ranked", ("dsi",)),
    ]
    marks, *rest = table_notes(compare(values, "bm25", notes), {"bm25": "BM25"})
    assert marks.startswith("‡: differs from BM25,")
    assert rest == ["labels left out: 6", "BM25, dsi: 1 query not ranked", "gear: 2 queries not ranked"]


def test_what_is_made_already_is_not_made_again(
    tiny: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = requested(tiny, tmp_path, "table-retrieval", "bm25")
    run_recipe(request, tmp_path / "first")
    monkeypatch.setattr(BM25, "fit", lambda *_: pytest.fail("fitted again"))
    run_recipe(request, tmp_path / "second")
    other = replace(tiny, documents=tiny.documents[:-1])
    with pytest.raises(pytest.fail.Exception):
        run_recipe(replace(request, collections=[other]), tmp_path / "third")


@pytest.mark.parametrize("recipe", ["figure-ablation", "figure-coverage", "figure-convergence", "table-time"])
def test_every_figure_can_be_drawn(tiny: Collection, tmp_path: Path, recipe: str) -> None:
    chosen = {"figure-coverage": ("gear", "lexgear"), "figure-convergence": ("gear",), "table-time": ("gear",)}
    run_recipe(requested(tiny, tmp_path, recipe, *chosen.get(recipe, ())), tmp_path / "out")
    assert (tmp_path / "out" / f"{recipe}.png").exists()
    text = (tmp_path / "out" / f"{recipe}.md").read_text(encoding="utf-8")
    assert "| GEAR" in text or "| DSI" in text
    if recipe == "figure-coverage":
        assert "| the judgment |" in text


def test_queries_without_a_split_are_searched_in_folds_by_who_never_saw_them(tiny: Collection, tmp_path: Path) -> None:
    whole = replace(tiny, queries=tuple(replace(query, split="") for query in tiny.queries))
    profile = Profile("tiny", folds=3, seeds=1, settings=recipes().profile(tiny).settings)
    study = Study(whole, profile, recipes(), tmp_path, tmp_path)
    run, facts = study.run(recipes().system("gear"), 0)
    assert set(run) == {query.id for query in whole.queries}
    assert facts["folds"] == 3
    steps = -(-len(tiny.documents) // 32)
    assert facts["steps"] == steps + 3 * steps  # an epoch over the documents, one more in every fold


def test_a_recipe_refuses_systems_it_does_not_have_and_data_nobody_asks(tiny: Collection, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no system 'bm26'"):
        run_recipe(requested(tiny, tmp_path, "table-retrieval", "bm26"), tmp_path / "out")
    silent = replace(tiny, queries=())
    with pytest.raises(InputError, match="no labelled test query"):
        run_recipe(requested(silent, tmp_path, "table-retrieval"), tmp_path / "out")
    with pytest.raises(InputError, match="no data named"):
        load_data("nowhere")


def test_a_plateau_is_a_best_value_that_lies_behind() -> None:
    def log(*values: float) -> list[dict[str, float]]:
        return [{"epoch": at + 1, "validation": value} for at, value in enumerate(values)]

    assert reached_plateau(log(0.1, 0.3, 0.2))
    assert not reached_plateau(log(0.1, 0.2, 0.3))
    assert not reached_plateau([{"epoch": 1, "L_i": 1.0}])
