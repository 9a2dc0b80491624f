"""The settings of `lexgear`."""

from __future__ import annotations

from dataclasses import dataclass

from lexgear.rankers.generative.model_settings import SHIPPED, GeneratorSettings
from lexgear.settings import within


@dataclass(frozen=True, slots=True)
class LexgearSettings(GeneratorSettings):
    """Settings of `lexgear`."""

    backbone: str = SHIPPED
    """Where none is shipped for a language: words alone, unless epochs train a model from scratch."""
    tokens: int = 512
    """Longest input. The first base model names .780 of the charges first with 512 tokens, .765 with 256."""
    dropout: float = 0.1
    thin: float = 0.2
    """Share of a text's tokens left out while training, each time others."""
    epochs: int = 0
    """0 takes the generator as it is: nothing is trained but weights."""

    def __post_init__(self) -> None:
        GeneratorSettings.__post_init__(self)
        within("thin", self.thin, 0, 0.95)
        self.extraction()
