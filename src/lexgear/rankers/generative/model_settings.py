"""The settings that rankers with a generator share: its sizes, how long it learns, and what it reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexgear.errors import InputError
from lexgear.rationale.records import RationaleSettings
from lexgear.settings import within

if TYPE_CHECKING:
    from lexgear.model.t5 import T5Shape
    from lexgear.training.loop import LoopSettings

OWN = "own"
"""Setting `prototypes`: the encoder of the generator itself."""
SHIPPED = "shipped"
"""Setting `backbone`: the base model that comes with the package."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A generator that learns the built-in sample on two cores in about a minute."""

    tokens: int = 96
    """Longest input."""
    backbone: str = ""
    """What to start from: `shipped`, the base model that comes with the package for the collection's language; the
    directory of another; directory or hub name of a T5 or mT5 checkpoint; without any a model of these sizes."""
    vocabulary: int = 4000
    """Tokens of our own tokenizer. It and the sizes below are ignored where there is a backbone: it has its own."""
    width: int = 96
    heads: int = 4
    encoder_layers: int = 2
    decoder_layers: int = 1
    dropout: float = 0.0
    epochs: int = 10
    batch: int = 32
    rate: float = 0.003
    """Highest learning rate of Adam."""
    warm_up: float = 0.1
    """Share of the steps until that rate is reached; then it falls to zero along a cosine."""
    accumulate: int = 1
    """Batches a step of the optimiser."""
    patience: int = 0
    """Epochs without a better validation value before training stops; 0 trains to the end and validates nothing."""
    held_out: float = 0.25
    """Share of the training queries kept from the generator, where something is chosen on them."""
    taught_epochs: int = 5
    """Epochs that other training queries are taught for, where the documents have been learnt before."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("epochs", "taught_epochs"):
            within(name, getattr(self, name), 0, 100_000)
        for name in ("tokens", "batch", "accumulate", "heads", "encoder_layers", "decoder_layers"):
            within(name, getattr(self, name), 1, 100_000)
        for name in ("dropout", "warm_up", "held_out"):
            within(name, getattr(self, name), 0, 0.95)
        within("patience", self.patience, 0, 100_000)
        within("rate", self.rate, 0, 1)
        within("vocabulary", self.vocabulary, 100, 1_000_000)
        within("seed", self.seed, 0)
        if self.width < self.heads or self.width % self.heads:
            raise InputError(f"setting width: {self.width} is no multiple of {self.heads} heads")

    def loop(self, epochs: int | None = None) -> LoopSettings:
        """Those of the training loop, for other epochs than those set where they are given."""
        from lexgear.training.loop import LoopSettings

        return LoopSettings(
            epochs=self.epochs if epochs is None else epochs,
            batch_size=self.batch,
            learning_rate=self.rate,
            warmup=self.warm_up,
            gradient_accumulation=self.accumulate,
            patience=self.patience,
            seed=self.seed,
        )

    def extraction(self) -> RationaleSettings | None:
        """Those of f_R; None without it."""
        return None

    def embedder(self) -> str:
        """What embeds whole texts: a directory of the BERT family, `own`, or nothing."""
        return ""

    def sizes(self, vocabulary: int) -> T5Shape:
        """Those of a model from scratch."""
        from lexgear.model.t5 import T5Shape

        return T5Shape.from_scratch(
            vocabulary,
            width=self.width,
            heads=self.heads,
            encoder_layers=self.encoder_layers,
            decoder_layers=self.decoder_layers,
            dropout=self.dropout,
        )


@dataclass(frozen=True, slots=True)
class GeneratorSettings(ModelSettings):
    """A generator that reads rationales."""

    k1: int = 10
    """Words of charge names in a rationale."""
    k2: int = 20
    """Words of charge definitions in a rationale."""
    k3: int = 15
    """Sentences in a rationale."""
    lambda3: float = 0.1
    """Weight of B3, the likeness of a sentence to the definition of a charge; counts only with `prototypes`."""
    prototypes: str = ""
    """What embeds for B3: a directory of the BERT family, or `own`, the generator's encoder before it is trained."""

    def extraction(self) -> RationaleSettings | None:
        """Those of f_R; None without it."""
        return RationaleSettings(self.k1, self.k2, self.k3, lambda3=self.lambda3)

    def embedder(self) -> str:
        """What embeds for B3, and for k-means IDs."""
        return self.prototypes
