"""The settings of `lexgear`."""

from __future__ import annotations

from dataclasses import dataclass

from lexgear.rankers.generator_settings import GeneratorSettings
from lexgear.rankers.limits import within


@dataclass(frozen=True, slots=True)
class LexgearSettings(GeneratorSettings):
    """Settings of `lexgear`."""

    dropout: float = 0.1
    thin: float = 0.2
    """Share of a text's tokens left out while training, each time others."""
    epochs: int = 4
    """0 leaves the generator out: words alone, for tens of thousands of documents in minutes."""

    def __post_init__(self) -> None:
        GeneratorSettings.__post_init__(self)
        within("thin", self.thin, 0, 0.95)
        self.extraction()
