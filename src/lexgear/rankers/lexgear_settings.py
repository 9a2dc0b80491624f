"""The settings of `lexgear`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexgear.errors import InputError
from lexgear.rankers.limits import within
from lexgear.rationale.records import RationaleSettings

if TYPE_CHECKING:
    from lexgear.model.t5 import T5Shape
    from lexgear.training.loop import LoopSettings


@dataclass(frozen=True, slots=True)
class LexgearSettings:
    """Settings of `lexgear`. The defaults train on the built-in sample on two cores in about a minute."""

    k1: int = 10
    k2: int = 20
    k3: int = 15
    tokens: int = 96
    """Longest input."""
    vocabulary: int = 4000
    width: int = 96
    heads: int = 4
    encoder_layers: int = 2
    decoder_layers: int = 1
    dropout: float = 0.1
    thin: float = 0.2
    """Share of a text's tokens left out while training, each time others."""
    held_out: float = 0.25
    """Share of the training queries kept from the generator, to learn the weights on."""
    epochs: int = 8
    batch: int = 32
    rate: float = 0.003
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("tokens", "epochs", "batch", "heads", "encoder_layers", "decoder_layers"):
            within(name, getattr(self, name), 1, 100_000)
        for name in ("dropout", "thin", "held_out"):
            within(name, getattr(self, name), 0, 0.95)
        within("rate", self.rate, 0, 1)
        within("vocabulary", self.vocabulary, 100, 1_000_000)
        within("seed", self.seed, 0)
        if self.width < self.heads or self.width % self.heads:
            raise InputError(f"setting width: {self.width} is no multiple of {self.heads} heads")
        self.extraction()

    def extraction(self) -> RationaleSettings:
        """Those of f_R."""
        return RationaleSettings(self.k1, self.k2, self.k3)

    def loop(self) -> LoopSettings:
        """Those of the training loop."""
        from lexgear.training.loop import LoopSettings

        return LoopSettings(epochs=self.epochs, batch=self.batch, rate=self.rate, seed=self.seed)

    def backbone(self, vocabulary: int) -> T5Shape:
        """The sizes of the model."""
        from lexgear.model.t5 import T5Shape

        return T5Shape(
            vocabulary=vocabulary,
            width=self.width,
            heads=self.heads,
            head_width=self.width // self.heads,
            inner=2 * self.width,
            encoder_layers=self.encoder_layers,
            decoder_layers=self.decoder_layers,
            dropout=self.dropout,
        )
