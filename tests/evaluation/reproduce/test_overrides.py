"""Settings given beside a recipe: the systems they apply to, and invalid ones refused before any training."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lexgear.errors import InputError
from lexgear.evaluation.reproduce.overrides import check_overrides, read_overrides
from lexgear.evaluation.reproduce.recipe import Profile, recipes
from lexgear.settings import settings_row

BOOK = recipes()
SYSTEMS = [BOOK.system(name) for name in BOOK.recipe("table-retrieval").systems]
LECARD = BOOK.profiles["lecard"]


def settings(system: str, profile: Profile, *assignments: str, backbones: tuple[str, ...] = ()) -> dict[str, Any]:
    given = replace(profile, overrides=read_overrides(backbones, assignments))
    return settings_row(BOOK.system(system).make_ranker(0, given).settings)


def test_a_setting_reaches_the_system_and_its_variants() -> None:
    for name in ("gear", "gear-without-l_c", "dsi-with-f_r"):
        assert settings(name, LECARD, "gear.epochs=3")["epochs"] == 3
    assert settings("gear-paper", LECARD, "gear.epochs=3")["epochs"] == 10
    assert settings("gear-without-l_c", LECARD, "gear.epochs=3", "gear-without-l_c.epochs=4")["epochs"] == 4


def test_all_reaches_every_system_that_is_not_fixed_and_leaves_ablations_ablations() -> None:
    assert settings("lawformer", LECARD, "*.epochs=3")["epochs"] == 3  # the data set says 4
    assert settings("gear-without-l_c", LECARD, "all.lambda_l=0.5")["lambda_l"] == 0
    assert settings("gear", LECARD, "all.lambda_l=0.5")["lambda_l"] == 0.5
    assert settings("bm25", LECARD, "all.lambda_l=0.5") == settings("bm25", LECARD)
    assert settings("lexgear", LECARD, "all.max_length=7") == settings("lexgear", LECARD)
    assert settings("lexgear", LECARD, "lexgear.max_length=7")["max_length"] == 7


def test_another_start_does_not_get_the_rates_of_the_usual_one() -> None:
    usual, other = settings("bert", LECARD), settings("bert", LECARD, backbones=("all=bge",))
    assert (usual["backbone"], usual["learning_rate"], usual["batch_size"]) == ("shipped", 0.0003, 192)
    assert (other["backbone"], other["query_epochs"]) == ("bge", usual["query_epochs"])
    assert other["learning_rate"] < 1e-4
    assert other["batch_size"] == 16


@pytest.mark.parametrize(
    ("backbones", "assignments", "problem"),
    [
        ((), ("gaer.epochs=1",), "no system named 'gaer' here"),
        ((), ("gear.epoch=1",), "no setting named 'epoch'"),
        ((), ("all.epoch=1",), "no system here has a setting named 'epoch'"),
        ((), ("gear.epochs=x",), "epochs: 'x' is not a whole number"),
        ((), ("all.epochs=x",), "epochs: 'x' is not a whole number"),
        ((), ("epochs=1",), "'epochs=1' is not SYSTEM.key=value"),
        (("gear",), (), "'gear' is not SYSTEM=DIRECTORY"),
        (("gear=/nowhere/at/all",), (), "no checkpoint directory '/nowhere/at/all'"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    backbones: tuple[str, ...], assignments: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        check_overrides(replace(LECARD, overrides=read_overrides(backbones, assignments)), SYSTEMS)


def test_what_can_be_meant_is_accepted(tmp_path: Path) -> None:
    given = read_overrides([f"all={tmp_path}", "gear=shipped"], ["gear.mu=0.5", "gear-paper.num_beams=10"])
    check_overrides(replace(LECARD, overrides=given), SYSTEMS)
