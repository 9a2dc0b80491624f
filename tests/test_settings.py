from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import pytest

from lexgear.rankers.registry import RANKERS
from lexgear.settings import SettingDescription, configure, describe_settings, settings_from, settings_row


@dataclass(frozen=True, slots=True)
class Size:
    width: int = 8
    """Width of
    the model."""
    heads: int = 2


@dataclass(frozen=True, slots=True)
class Base:
    seed: int = 0
    """Seed of the random numbers."""


@dataclass(frozen=True, slots=True)
class Whole(Base):
    size: Size = field(default_factory=lambda: Size(width=16))
    search: Literal["exact", "beam"] = "exact"
    """Search method."""
    tied: bool = True
    rate: float = 0.1


@dataclass(frozen=True, slots=True)
class Started(Base):
    with_backbone: ClassVar[Mapping[str, Any]] = {"width": 64, "rate": 1e-5}
    backbone: str = ""
    """Initial model."""
    size: Size = field(default_factory=Size)
    rate: float = 0.1


def test_every_setting_is_described_under_its_flat_name() -> None:
    assert describe_settings(Whole) == [
        SettingDescription("seed", "int", "0", "", "Seed of the random numbers."),
        SettingDescription("width", "int", "16", "", "Width of the model."),
        SettingDescription("heads", "int", "2", "", ""),
        SettingDescription("search", "exact | beam", '"exact"', "", "Search method."),
        SettingDescription("tied", "bool", "true", "", ""),
        SettingDescription("rate", "float", "0.1", "", ""),
    ]


def test_defaults_with_a_backbone_apply_unless_a_value_is_given() -> None:
    assert configure(Started) == Started()
    assert configure(Started, backbone="there") == Started(backbone="there", size=Size(width=64), rate=1e-5)
    assert settings_from(Started, {"backbone": "there", "rate": "0.1"}) == Started(
        backbone="there", size=Size(width=64), rate=0.1
    )


def test_stored_settings_stay_as_they_are() -> None:
    stored = settings_row(Started(backbone="there", rate=0.2))
    assert settings_row(settings_from(Started, stored)) == stored


def test_the_description_shows_both_defaults() -> None:
    both = {one.name: (one.default, one.with_backbone) for one in describe_settings(Started)}
    assert both == {
        "seed": ("0", ""),
        "backbone": ('""', ""),
        "width": ("8", "64"),
        "heads": ("2", ""),
        "rate": ("0.1", "1e-05"),
    }


@pytest.mark.parametrize("name", [name for name in RANKERS if hasattr(RANKERS[name].settings_type, "with_backbone")])
def test_rankers_fine_tune_a_checkpoint_gently(name: str) -> None:
    scratch, tuned = (settings_row(settings_from(RANKERS[name].settings_type, {"backbone": b})) for b in ("", "dir"))
    assert scratch["learning_rate"] >= 0.003
    assert tuned["learning_rate"] <= 5e-5
    assert tuned["max_length"] >= 384
    assert tuned.get("token_dropout", 0) == 0
    if "decoder_learning_rate" in tuned:
        assert scratch["decoder_learning_rate"] == 0
        assert 5e-4 <= tuned["decoder_learning_rate"] <= 1e-3


def test_every_ranker_with_a_backbone_has_defaults_for_it() -> None:
    kinds = {name: RANKERS[name].settings_type for name in RANKERS}
    lacking = [n for n, kind in kinds.items() if hasattr(kind(), "backbone") and not hasattr(kind, "with_backbone")]
    assert lacking == []
