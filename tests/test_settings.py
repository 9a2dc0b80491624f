from dataclasses import dataclass, field
from typing import Literal

from lexgear.settings import SettingDescription, describe_settings


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


def test_every_setting_is_described_under_its_flat_name() -> None:
    assert describe_settings(Whole) == [
        SettingDescription("seed", "int", "0", "Seed of the random numbers."),
        SettingDescription("width", "int", "16", "Width of the model."),
        SettingDescription("heads", "int", "2", ""),
        SettingDescription("search", "exact | beam", '"exact"', "Search method."),
        SettingDescription("tied", "bool", "true", ""),
        SettingDescription("rate", "float", "0.1", ""),
    ]
