"""Recipes: every row can be made, every name is known, and the paper's numbers stand where they belong."""

import pytest

from lexgear.errors import InputError
from lexgear.evaluation.reproduce.recipe import Profile, System, read_recipes, recipes
from lexgear.rankers.registry import RANKERS

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
