"""A report from end to end on the smallest data there is; runs are kept, and made again where something changed."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
import torch

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
from lexgear.evaluation.reproduce.tables.learning_curve import with_drawn_queries
from lexgear.evaluation.reproduce.tables.retrieval import table_notes
from lexgear.model.device import limited_threads
from lexgear.progress import Progress
from lexgear.rankers.generative.dsi import Dsi
from lexgear.rankers.words.bm25 import BM25
from lexgear.trec import read_run


@pytest.fixture(scope="module")
def tiny() -> Collection:
    return load_data("tiny")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a place for runs and results that several tests use."""
    return tmp_path_factory.mktemp("shared")


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


def test_models_of_the_built_in_samples_are_trained_on_one_thread_whatever_the_machine_has(
    tiny: Collection, tmp_path: Path
) -> None:
    seen: set[int] = set()

    def watch(done: int, total: int | None, note: str = "") -> None:
        seen.add(torch.get_num_threads())

    with limited_threads(2):
        run_recipe(requested(tiny, tmp_path, "table-retrieval", "bm25", "dsi", seeds=1), tmp_path / "out", watch)
        assert seen == {1}
        assert torch.get_num_threads() == 2


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
def test_every_figure_can_be_drawn(tiny: Collection, shared: Path, tmp_path: Path, recipe: str) -> None:
    chosen = {
        "figure-ablation": ("dsi-plain", "dsi-paper-plain"),
        "figure-coverage": ("gear", "lexgear"),
        "figure-convergence": ("gear",),
        "table-time": ("gear-paper", "gear"),
    }
    run_recipe(requested(tiny, shared, recipe, *chosen[recipe]), tmp_path / "out")
    assert (tmp_path / "out" / f"{recipe}.png").exists()
    text = (tmp_path / "out" / f"{recipe}.md").read_text(encoding="utf-8")
    assert "| GEAR" in text or "| DSI" in text
    if recipe == "figure-coverage":
        assert "| the judgment |" in text
    if recipe == "table-time":
        assert "| GEAR (paper's settings) | scratch | 30 beams | 48 |" in text
        assert "| GEAR | scratch | exact | 48 |" in text


def test_queries_without_a_split_are_searched_in_folds_by_who_never_saw_them(tiny: Collection, tmp_path: Path) -> None:
    whole = replace(tiny, queries=tuple(replace(query, split="") for query in tiny.queries))
    profile = Profile("tiny", folds=3, seeds=1, settings=recipes().profile(tiny).settings)
    study = Study(whole, profile, recipes(), tmp_path, tmp_path)
    run, facts = study.run(recipes().system("gear"), 0)
    assert set(run) == {query.id for query in whole.queries}
    assert facts["folds"] == 3
    steps = -(-len(tiny.documents) // 32)
    assert facts["steps"] == steps + 3 * steps  # an epoch over the documents, one more in every fold


def test_an_interrupted_cross_validation_goes_on_with_the_next_fold(
    tiny: Collection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = Profile("tiny", folds=3, settings=recipes().profile(tiny).settings)
    whole, broken = (Study(tiny, profile, recipes(), tmp_path / one, tmp_path / one) for one in ("whole", "broken"))
    expected = whole.run(recipes().system("dsi"), 0)
    learnt: list[str] = []
    original = Dsi._with_queries

    def stops_at_the_second(self: Dsi, collection: Collection, progress: Progress) -> Dsi:
        learnt.append(collection.name)
        if len(learnt) == 2:
            raise KeyboardInterrupt
        return original(self, collection, progress)

    monkeypatch.setattr(Dsi, "_with_queries", stops_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        broken.run(recipes().system("dsi"), 0)
    run, facts = broken.run(recipes().system("dsi"), 0)
    assert len(learnt) == 2 + 2  # the first fold once, the second twice, the third once
    assert run == expected[0]
    assert facts | {"seconds": 0} == expected[1] | {"seconds": 0}
    assert {path.suffix for path in (tmp_path / "broken").iterdir()} == {".trec", ".json"}
    assert len(list((tmp_path / "broken").iterdir())) == 2


def test_tables_are_built_from_results_of_several_machines_and_say_what_is_missing(
    tiny: Collection, tmp_path: Path
) -> None:
    for place, options in (("a", {"only_seed": 1}), ("b", {"seeds": 1})):
        for system in ("random", "bm25"):
            run_recipe(requested(tiny, tmp_path / place, "table-retrieval", system, **options), tmp_path / "out")
    small = [*(tmp_path / "a" / "results" / "tiny").iterdir(), *(tmp_path / "b" / "results" / "tiny").iterdir()]
    assert sorted(path.name for path in small) == ["bm25-0.json", "bm25-0.json", "random-0.json", "random-1.json"]
    assert max(path.stat().st_size for path in small) < 5000
    together = tmp_path / "c" / "results" / "tiny"
    together.mkdir(parents=True)
    for path in small:
        copyfile(path, together / path.name)
    request = requested(tiny, tmp_path / "c", "table-retrieval", "random", "bm25", "sailer", seeds=3, finished=True)
    report = run_recipe(request, tmp_path / "out")
    rows = {str(row[0]): row for row in report.tables[0].rows}
    assert rows["SAILER"][1:3] == ["not finished", None]
    assert "random order: 2 of 3 seeds finished" in report.tables[0].notes
    whole = run_recipe(requested(tiny, tmp_path / "d", "table-retrieval", "random", "bm25"), tmp_path / "out")
    assert list(whole.tables[0].rows) == [rows["random order"], rows["BM25"]]
    with pytest.raises(InputError, match="no system of table-retrieval is finished"):
        run_recipe(replace(request, systems=("sailer",)), tmp_path / "out")


@pytest.mark.parametrize("name", ["legal_bert", "lawformer", "chatlaw_text2vec"])
def test_a_row_without_its_checkpoint_is_listed_and_not_run(tiny: Collection, tmp_path: Path, name: str) -> None:
    (tmp_path / "bge").mkdir()
    (tmp_path / "bge" / "config.json").write_text('{"model_type": "bert"}')
    request = requested(tiny, tmp_path, "table-retrieval", "bm25", name, backbones=[f"{name}={tmp_path / 'bge'}"])
    [_, row] = run_recipe(request, tmp_path / "out").tables[0].rows
    assert list(row)[:3] == [recipes().system(name).label, "checkpoint not available", None]
    assert f"--backbone {name}={tmp_path / 'bge'}" in request.command()


def test_a_system_that_cannot_be_trained_does_not_stop_the_others(tiny: Collection, tmp_path: Path) -> None:
    silent = replace(tiny, documents=tuple(replace(document, sections={}) for document in tiny.documents))
    request = requested(silent, tmp_path, "table-retrieval", "random", "dsi", seeds=1)
    rows = run_recipe(request, tmp_path / "out").tables[0].rows
    assert [list(row)[:2] for row in rows] == [
        ["random order", None],
        ["DSI", "no document of tiny has a text to read"],
    ]
    with pytest.raises(InputError, match="no document of tiny has a text to read"):
        run_recipe(replace(request, systems=("dsi",)), tmp_path / "out")


def test_systems_are_tested_against_every_other_and_the_start_of_each_row_is_stated(
    tiny: Collection, shared: Path, tmp_path: Path
) -> None:
    report = run_recipe(
        requested(tiny, shared, "table-retrieval", "random", "bm25", "lexgear", seeds=1), tmp_path / "out"
    )
    main, tests = report.tables[:2]
    assert [row[1] for row in main.rows] == [None, None, "base model of lexgear"]
    assert tests.title == "lexgear (ours) against every other system"
    assert [row[0] for row in tests.rows] == ["random order", "BM25"]
    place = list(main.columns).index("RR(rel=2)")
    means = [float(str(row[place]).rstrip("‡")) for row in main.rows]
    assert float(str(tests.rows[0][place - 1]).rstrip("‡")) == pytest.approx(means[2] - means[0], abs=1e-3)
    assert f"candidates: {len(tiny.documents)} documents (all of the data set)" in main.notes


def as_if_finished(tiny: Collection, place: Path, *systems: str) -> RecipeRequest:
    """Return a request for tables of systems whose results are copies of that of BM25."""
    run_recipe(requested(tiny, place, "table-retrieval", "bm25"), place / "bm25")
    folder = place / "results" / "tiny"
    row = json.loads((folder / "bm25-0.json").read_text(encoding="utf-8"))
    for name in systems:
        row["facts"]["label"] = recipes().system(name).label
        (folder / f"{name}-0.json").write_text(json.dumps(row | {"system": name}), encoding="utf-8")
    return requested(tiny, place, "table-retrieval", "bm25", *systems, seeds=1, finished=True)


def test_the_command_of_a_row_has_the_options_that_change_it_alone(tiny: Collection, tmp_path: Path) -> None:
    given = {"backbones": ["all=bge"], "assignments": ["all.epochs=3", "gear.mu=0.5", "dsi.epochs=2"]}
    request = requested(tiny, tmp_path, "table-retrieval", **given)
    assert request.command().endswith(" --backbone all=bge --set all.epochs=3 --set gear.mu=0.5 --set dsi.epochs=2")
    ablation = request.command(["gear-without-l_c"])
    assert ablation.endswith(
        " --systems gear-without-l_c --seeds 2 --backbone all=bge --set all.epochs=3 --set gear.mu=0.5"
    )
    for name in ("bm25", "lexgear"):
        assert request.command([name]).endswith(f" --systems {name} --seeds 2")


def test_ablations_are_tested_apart_from_other_systems(tiny: Collection, tmp_path: Path) -> None:
    request = as_if_finished(tiny, tmp_path, "dsi", "gear", "gear-without-l_c", "gear-without-f_t")
    others, ablations = (one for one in run_recipe(request, tmp_path / "out").tables if "against" in one.title)
    assert (others.title, ablations.title) == ("GEAR against every other system", "GEAR against its ablations")
    assert [row[0] for row in others.rows] == ["BM25", "DSI"]
    assert [row[0] for row in ablations.rows] == ["GEAR w/o L_c", "GEAR w/o f_T"]
    assert "Bonferroni-corrected for 14 comparisons" in ablations.notes[0]  # two systems, seven measures


def test_a_fusion_says_that_its_parts_are_not_the_rows_beside_it(tiny: Collection, tmp_path: Path) -> None:
    tables = run_recipe(as_if_finished(tiny, tmp_path, "fusion", "fusion-rrf"), tmp_path / "out").tables
    [note] = [note for note in tables[0].notes if "default settings" in note]
    assert note.startswith("BM25 and GEAR, z-scores summed, BM25 and GEAR, reciprocal ranks: both rankers have")


def test_a_learning_curve_draws_nested_training_queries_by_the_seed(tiny: Collection, tmp_path: Path) -> None:
    few, more, other = (with_drawn_queries(tiny, *one) for one in ((2, 0), (4, 0), (4, 1)))
    learnt = [{query.id for query in one.queries if query.split == "train"} for one in (few, more, other)]
    assert learnt[0] < learnt[1] != learnt[2]
    assert [len(one) for one in learnt] == [2, 4, 4]
    recipe = replace(recipes().recipe("figure-learning-curve"), sizes=(2, 4, 800))
    request = replace(requested(tiny, tmp_path, "figure-learning-curve", "bm25", seeds=1), recipe=recipe)
    [table] = run_recipe(request, tmp_path / "out").tables
    assert [row[2] for row in table.rows] == [2, 2, 4, 4, 6, 6]  # there are six, and two measures
    assert (tmp_path / "out" / "figure-learning-curve.png").exists()


def test_a_recipe_refuses_systems_it_does_not_have_and_data_nobody_asks(tiny: Collection, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no system 'bm26'"):
        run_recipe(requested(tiny, tmp_path, "table-retrieval", "bm26"), tmp_path / "out")
    silent = replace(tiny, queries=())
    with pytest.raises(InputError, match="no labelled test query"):
        run_recipe(requested(silent, tmp_path, "table-retrieval"), tmp_path / "out")
    without = replace(tiny, queries=tuple(replace(query, charges=()) for query in tiny.queries))
    with pytest.raises(InputError, match="no test query with charges"):
        run_recipe(requested(without, tmp_path, "figure-coverage"), tmp_path / "out")
    with pytest.raises(InputError, match="no data named"):
        load_data("nowhere")


def test_a_plateau_is_a_best_value_that_lies_behind() -> None:
    def log(*values: float) -> list[dict[str, float]]:
        return [{"epoch": at + 1, "validation": value} for at, value in enumerate(values)]

    assert reached_plateau(log(0.1, 0.3, 0.2))
    assert not reached_plateau(log(0.1, 0.2, 0.3))
    assert not reached_plateau([{"epoch": 1, "L_i": 1.0}])
