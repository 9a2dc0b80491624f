"""The settings that `gear` and `lexgear` share: the sizes of the generator and how long it learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexgear.errors import InputError
from lexgear.rankers.limits import within

if TYPE_CHECKING:
    from lexgear.model.t5 import T5Shape
    from lexgear.training.loop import LoopSettings


@dataclass(frozen=True, slots=True)
class GeneratorSettings:
    """A generator that learns the built-in sample on two cores in about a minute."""

    k1: int = 10
    """Words of charge names in a rationale."""
    k2: int = 20
    """Words of charge definitions in a rationale."""
    k3: int = 15
    """Sentences in a rationale."""
    tokens: int = 96
    """Longest input."""
    vocabulary: int = 4000
    width: int = 96
    heads: int = 4
    encoder_layers: int = 2
    decoder_layers: int = 1
    dropout: float = 0.0
    epochs: int = 10
    batch: int = 32
    rate: float = 0.003
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("tokens", "epochs", "batch", "heads", "encoder_layers", "decoder_layers"):
            within(name, getattr(self, name), 1, 100_000)
        within("dropout", self.dropout, 0, 0.95)
        within("rate", self.rate, 0, 1)
        within("vocabulary", self.vocabulary, 100, 1_000_000)
        within("seed", self.seed, 0)
        if self.width < self.heads or self.width % self.heads:
            raise InputError(f"setting width: {self.width} is no multiple of {self.heads} heads")

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
