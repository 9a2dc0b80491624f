"""Tests of the presets in configs/."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lexgear.evaluation.tuning import PAPER_GRID
from lexgear.files import read_json
from lexgear.pretraining.base import SHIPPED
from lexgear.pretraining.settings import PretrainSettings
from lexgear.rankers.generative.gear_settings import GearSettings
from lexgear.rankers.registry import make_ranker
from lexgear.settings import configure, settings_row

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
PAPER = [CONFIGS / f"paper-{name}.toml" for name in ("bsard", "elam", "lecardv2")]
DENSE = ["bert", "legal_bert", "lawformer", "chatlaw_text2vec", "sailer", "gdsr"]
GENERATIVE = ["dsi", "dsi_qg", "nci", "ultron"]
WITHOUT: dict[str, dict[str, Any]] = {
    "f_r": {"rationale": False},
    "f_t": {"ids": "kmeans"},
    "l_c": {"lambda_l": 0.0},
}
PAPERS = {
    "max_length": 512,
    "batch_size": 2,
    "num_beams": 30,
    "num_train_beams": 30,
    "search": "beam",
    "softmax": "vocabulary",
    "id_shape": "fixed",
    "ids": "law",
    "form": "paper",
    "judgments_as_queries": False,
    "mu": 1.0,
    "gamma_r": 1.0,
}


def settings_of(path: Path) -> dict[str, Any]:
    return settings_row(make_ranker("gear", path).settings)


@pytest.mark.parametrize("path", PAPER, ids=lambda path: path.stem)
def test_a_paper_preset_has_the_settings_of_the_paper(path: Path) -> None:
    settings = settings_of(path)
    assert PAPERS.items() <= settings.items()
    for name, values in PAPER_GRID.items():
        assert settings[name] in [pytest.approx(float(value)) for value in values], name


def test_the_paper_presets_differ_in_the_settings_of_the_data_sets() -> None:
    elam, lecardv2, bsard = (settings_of(CONFIGS / f"paper-{name}.toml") for name in ("elam", "lecardv2", "bsard"))
    assert [(one["k1"], one["k2"], one["k3"]) for one in (elam, lecardv2)] == [(2, 5, 15), (10, 20, 15)]
    assert [(one["lambda1"], one["lambda2"], one["lambda3"]) for one in (elam, lecardv2)] == [(10.0, 1.0, 0.1)] * 2
    assert {name for name in elam if elam[name] != lecardv2[name]} == {"k1", "k2"}
    assert (bsard["rationale"], bsard["prototypes"], bsard["backbone"]) == (False, "", "t5-base")
    assert elam["backbone"] == "IDEA-CCNL/Randeng-T5-77M-MultiTask-Chinese"


@pytest.mark.parametrize("path", PAPER, ids=lambda path: path.stem)
def test_every_line_of_a_paper_preset_names_its_source(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if not re.search(r" # (paper|silent)", line)] == []
    chosen = settings_row(GearSettings()).keys() - tomllib.loads(path.read_text()).keys()
    ignored = {
        "vocab_size",
        "hidden_size",
        "num_heads",
        "num_encoder_layers",
        "num_decoder_layers",
        "tokenizer",
    }  # the backbone has its own
    rationale = {"k1", "k2", "k3", "lambda1", "lambda2", "lambda3", "definitions", "passages", "prototypes"}
    assert chosen - {"seed", "gradient_accumulation", "query_epochs", "order", "descriptions"} == ignored | (
        rationale if "bsard" in path.stem else set()
    )


@pytest.mark.parametrize("name", [*DENSE, *GENERATIVE])
def test_a_preset_of_a_baseline_fine_tunes_its_checkpoint(name: str) -> None:
    path = CONFIGS / f"paper-{name}.toml"
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    assert [line for line in lines if not re.search(r" # (paper|silent)", line)] == []
    settings = settings_row(make_ranker(name, path).settings)
    assert settings["backbone"]
    assert (settings["batch_size"], settings["max_length"]) == (16, 1024 if name == "lawformer" else 512)
    assert 1e-5 <= settings["learning_rate"] <= 5e-5
    assert settings["patience"] > 0
    if name in GENERATIVE:
        assert settings["decoder_learning_rate"] > settings["learning_rate"]
        assert (settings["search"], settings["num_beams"]) == ("beam", 30)
    else:
        assert settings["token_dropout"] == 0


@pytest.mark.parametrize("part", WITHOUT)
def test_an_ablation_leaves_out_one_part(part: str) -> None:
    assert settings_of(CONFIGS / f"ablation-without-{part}.toml") == settings_row(GearSettings()) | WITHOUT[part]


@pytest.mark.parametrize("part", ["", *WITHOUT])
def test_a_dsi_ablation_has_only_the_part_it_is_named_after(part: str) -> None:
    left_out = {name: value for other, change in WITHOUT.items() if other != part for name, value in change.items()}
    path = CONFIGS / f"ablation-dsi{'-' if part else ''}{part}.toml"
    assert settings_of(path) == settings_row(GearSettings()) | left_out


def test_every_preset_is_tested() -> None:
    papers = [*PAPER, *(CONFIGS / f"paper-{name}.toml" for name in [*DENSE, *GENERATIVE])]
    ablations = ["dsi", *(f"dsi-{part}" for part in WITHOUT), *(f"without-{part}" for part in WITHOUT)]
    assert {*CONFIGS.glob("paper-*")} == {*papers}
    assert {*CONFIGS.glob("ablation-*")} == {CONFIGS / f"ablation-{name}.toml" for name in ablations}


@pytest.mark.parametrize("language", ["zh", "fr"])
def test_a_base_model_that_ships_was_trained_with_its_preset(language: str) -> None:
    trained = read_json(SHIPPED / language / "base.json")["settings"]
    preset = tomllib.loads((CONFIGS / f"pretrain-{language}.toml").read_text())
    limits = {name: trained[name] for name in ("start", "seconds")}  # the presets set no time limit
    assert configure(PretrainSettings, **preset, **limits).to_row() == trained
