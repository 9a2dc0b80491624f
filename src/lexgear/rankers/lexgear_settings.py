"""The settings of `lexgear`."""

from __future__ import annotations

from dataclasses import dataclass

from lexgear.rankers.generator_settings import GeneratorSettings
from lexgear.rankers.limits import within
from lexgear.rationale.records import RationaleSettings


@dataclass(frozen=True, slots=True)
class LexgearSettings(GeneratorSettings):
    """Settings of `lexgear`."""

    dropout: float = 0.1
    thin: float = 0.2
    """Share of a text's tokens left out while training, each time others."""
    held_out: float = 0.25
    """Share of the training queries kept from the generator, to learn the weights on."""
    epochs: int = 8

    def __post_init__(self) -> None:
        GeneratorSettings.__post_init__(self)
        for name in ("thin", "held_out"):
            within(name, getattr(self, name), 0, 0.95)
        self.extraction()

    def extraction(self) -> RationaleSettings:
        """Those of f_R."""
        return RationaleSettings(self.k1, self.k2, self.k3)
