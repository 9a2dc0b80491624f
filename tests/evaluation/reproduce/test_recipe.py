"""Recipes: every row can be made, every name is known, and the paper's numbers stand where they belong."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from lexgear.corpus.records import Collection, Document
from lexgear.errors import InputError
from lexgear.evaluation.reproduce.recipe import Profile, System, read_recipes, recipes
from lexgear.rankers.registry import RANKERS
from lexgear.settings import settings_row

CONFIGS = Path(__file__).resolve().parents[3] / "configs"

ONE = """
[system.bm25]
label = "BM25"
ranker = "bm25"
[data.small]
systems = { SYSTEM = { k1 = 1.2 } }
[recipe.table]
kind = "retrieval"
title = "A table"
systems = ["bm25"]
"""


def test_every_system_of_the_package_can_be_made_for_every_data_set() -> None:
    book = recipes()
    for system in book.systems.values():
        for profile in book.profiles.values():
            assert system.make_ranker(3, profile).name == system.ranker
    assert {system.ranker for system in book.systems.values()} >= set(RANKERS) - {"dense"}  # whose presets stand there


def test_a_system_that_nobody_describes_is_refused() -> None:
    assert read_recipes(ONE.replace("SYSTEM", "bm25")).recipe("table").systems == ["bm25"]
    with pytest.raises(InputError, match="names an unknown system 'bm26'"):
        read_recipes(ONE.replace("SYSTEM", "bm26"))
    with pytest.raises(InputError, match="no recipe named 'chair'"):
        recipes().recipe("chair")


def test_settings_of_the_data_reach_those_who_have_them_and_are_not_fixed() -> None:
    profile = Profile("small", settings={"b": 0.6, "epochs": 2}, systems={"mine": {"k1": 1.1}})
    mine = System("mine", "Mine", "bm25").make_ranker(0, profile).settings
    assert (mine.k1, mine.b) == (1.1, 0.6)
    assert System("fixed", "Fixed", "bm25", fixed=True).make_ranker(0, profile).settings.b == 0.75
    trained = System("gear", "GEAR", "gear").make_ranker(7, profile).settings.training
    assert (trained.seed, trained.epochs) == (7, 2)


PAPER = {
    "max_length": 512,
    "num_beams": 30,
    "search": "beam",
    "softmax": "vocabulary",
    "id_shape": "fixed",
    "form": "paper",
}


@pytest.mark.parametrize(
    ("data", "preset"),
    [
        ("elam", "paper-elam"),
        ("lecardv2-closed", "paper-lecardv2"),
        ("lecard-closed", "paper-lecardv2"),
        ("bsard-closed", "paper-bsard"),
        ("bsard-rebuilt-closed", "paper-bsard"),
        ("stard", "paper-bsard"),
    ],
)
def test_the_papers_gear_has_the_settings_of_the_preset_that_fits_the_data(data: str, preset: str) -> None:
    book = recipes()
    stated = tomllib.loads((CONFIGS / f"{preset}.toml").read_text(encoding="utf-8"))
    checkpoint = replace(book.profiles[data], overrides={"gear-paper": {"backbone": "t5"}})
    with_checkpoint = settings_row(book.system("gear-paper").make_ranker(0, checkpoint).settings)
    assert stated | {"backbone": "t5"} == {name: with_checkpoint[name] for name in stated}
    assert PAPER.items() <= with_checkpoint.items()
    usual = book.profiles[data]
    without, gear = (settings_row(book.system(name).make_ranker(0, usual).settings) for name in ("gear-paper", "gear"))
    assert PAPER.items() <= without.items()
    start = ("backbone", "batch_size", "learning_rate", "epochs")
    assert [without[name] for name in start] == [gear[name] for name in start]
    assert gear["search"] == "exact"


@pytest.mark.parametrize("whole", ["gear", "gear-paper"])
@pytest.mark.parametrize(
    ("part", "change"), [("l_c", ("lambda_l", 0.0)), ("f_r", ("rationale", False)), ("f_t", ("ids", "kmeans"))]
)
def test_an_ablation_differs_from_its_system_in_one_setting(whole: str, part: str, change: tuple[str, object]) -> None:
    for profile in recipes().profiles.values():
        full, ablated = (
            settings_row(recipes().system(name).make_ranker(0, profile).settings)
            for name in (whole, f"{whole}-without-{part}")
        )
        assert ablated == full | dict([change])


def test_every_table_with_gear_has_the_papers_gear_too() -> None:
    for recipe in recipes().recipes.values():
        if "gear" in recipe.systems and recipe.name not in ("table-starts", "figure-learning-curve"):
            assert "gear-paper" in recipe.systems, recipe.name


def test_a_collection_without_a_profile_gets_the_preset_of_its_kind() -> None:
    case = Collection("mine", "zh", (Document("1", charges=("盗窃罪",)),))
    article = Collection("mine", "fr", (Document("1", node="code/1"),))
    assert [recipes().profile(one).preset for one in (case, article)] == ["paper-lecardv2", "paper-bsard"]


def test_what_the_paper_reports_is_written_down_for_every_row_it_has() -> None:
    paper = recipes().paper
    assert paper["lecardv2"]["gear"] == {
        "R@1": 0.063,
        "R@5": 0.1706,
        "R@10": 0.3142,
        "R@20": 0.4625,
        "mrr_gear": 0.2162,
    }
    assert len(paper["elam"]) == len(paper["lecardv2"]) == 15
    assert paper["bsard"]["gdsr"]["R@30"] == 0.672
