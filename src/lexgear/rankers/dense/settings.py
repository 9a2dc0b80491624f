"""The settings of the bi-encoders: what they start from, what they learn, how their vectors are searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexgear.errors import InputError
from lexgear.search.nearest import INDEXES
from lexgear.settings import one_of, within

if TYPE_CHECKING:
    from lexgear.model.t5 import T5Shape
    from lexgear.training.loop import LoopSettings

CHOICES = {"pooling": ("cls", "mean"), "pretraining": ("none", "masked", "matching"), "index": INDEXES}


@dataclass(frozen=True, slots=True)
class DenseSettings:
    """A bi-encoder that learns the built-in sample on one core in about a minute."""

    tokens: int = 128
    """Longest input."""
    backbone: str = ""
    """What to start from: `shipped`, the base model that comes with the package for the collection's language; the
    directory of another; directory or hub name of a checkpoint of the T5 or the BERT family; without any a model of
    these sizes."""
    vocabulary: int = 4000
    """Tokens of our own tokenizer. It and the sizes below are ignored where there is a backbone: it has its own."""
    width: int = 64
    heads: int = 2
    encoder_layers: int = 1
    dropout: float = 0.0
    """Of a model from scratch, a base or a T5; a checkpoint of the BERT family keeps its own."""
    pooling: str = "mean"
    """What speaks for a text: its first place (`cls`), or the `mean` of all; a base model has learnt the mean."""
    window: int = 0
    """Places to either side that a token sees, besides the first of all; 0: all of them."""
    pretraining: str = "none"
    """What the model learns first, unless a checkpoint brings it: `masked` tokens, or `matching` parts of a text."""
    pretraining_epochs: int = 5
    epochs: int = 6
    taught_epochs: int = 20
    """Over the training queries, where the documents have been learnt before."""
    batch: int = 32
    rate: float = 0.003
    """Highest learning rate of Adam."""
    warm_up: float = 0.1
    """Share of the steps until that rate is reached; then it falls to zero along a cosine."""
    accumulate: int = 1
    """Batches a step of the optimiser."""
    temperature: float = 0.05
    """What cosines are divided by: the smaller, the more the nearest wrong document counts."""
    thin: float = 0.2
    """Share of a text's tokens left out while training, each time others."""
    negatives: int = 2
    """Hard negatives a text."""
    refresh: int = 2
    """Epochs after which the index they are mined from is made anew; 0: documents of the batch are the only ones."""
    weak_positives: bool = True
    """Whether the facts of a judgment should also find the other documents with exactly its charges."""
    queries_a_batch: int = 8
    """Training queries beside a batch of judgments, or judgments beside a batch of training queries."""
    patience: int = 0
    """Epochs without a better validation value before training stops; 0 trains to the end and validates nothing."""
    held_out: float = 0.25
    """Share of the training queries kept from the model, where something is chosen on them."""
    index: str = "exact"
    """How to search: `exact` by numpy, `faiss` (all of them too), or its graph `hnsw`, which may miss some."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            one_of(name, getattr(self, name), choices)
        for name in ("tokens", "batch", "accumulate", "heads", "encoder_layers", "epochs"):
            within(name, getattr(self, name), 1, 100_000)
        for name in ("window", "pretraining_epochs", "taught_epochs", "refresh", "patience", "queries_a_batch"):
            within(name, getattr(self, name), 0, 100_000)
        for name in ("dropout", "warm_up", "held_out", "thin"):
            within(name, getattr(self, name), 0, 0.95)
        within("negatives", self.negatives, 0, 100)
        within("temperature", self.temperature, 0.001, 10)
        within("rate", self.rate, 0, 1)
        within("vocabulary", self.vocabulary, 100, 1_000_000)
        within("seed", self.seed, 0)
        if self.width < self.heads or self.width % self.heads:
            raise InputError(f"setting width: {self.width} is no multiple of {self.heads} heads")

    def loop(self, epochs: int, *, patience: bool = False) -> LoopSettings:
        """Those of a training loop, with or without validation."""
        from lexgear.training.loop import LoopSettings

        return LoopSettings(
            epochs=epochs,
            batch_size=self.batch,
            learning_rate=self.rate,
            warmup=self.warm_up,
            gradient_accumulation=self.accumulate,
            patience=self.patience if patience else 0,
            seed=self.seed,
        )

    def sizes(self, vocabulary: int) -> T5Shape:
        """Those of a model from scratch."""
        from lexgear.model.t5 import T5Shape

        return T5Shape.from_scratch(
            vocabulary,
            width=self.width,
            heads=self.heads,
            encoder_layers=self.encoder_layers,
            decoder_layers=0,
            dropout=self.dropout,
        )
