"""Parts of settings that rankers with a neural model share: the size of a model from scratch, and its training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexgear.errors import ErrorCode, InputError
from lexgear.settings import within

if TYPE_CHECKING:
    from lexgear.model.t5 import T5Shape
    from lexgear.training.loop import LoopSettings

SHIPPED = "shipped"
"""Value of the setting `backbone`: the base model that comes with the package."""
FROM_SCRATCH_HINT = 'backbone="" has the learning rate for that'
"""Hint for users whose settings are those of a pretrained model, if there is none for the language."""
OWN = "own"
"""Value of the settings `prototypes` and `vectors`: the generator's own encoder before training."""
GENERATOR_WITH_BACKBONE: Mapping[str, Any] = {
    "max_length": 512,
    "dropout": 0.1,
    "batch_size": 16,
    "learning_rate": 5e-5,
    "decoder_learning_rate": 1e-3,
}
"""Defaults of generators that start from a base model or a checkpoint. At the rates of a model from scratch, 0.003 and
more, pretrained weights are lost within a few steps; what is new on top of them hardly moves at theirs. DSI on
bge-small-zh, 24 cases, six epochs: the loss of the IDs ends at 2.7 with these rates, at 4.1 with 5e-5 for all weights,
and at 5.9 with 0.003."""
ENCODER_WITH_BACKBONE: Mapping[str, Any] = {
    "max_length": 512,
    "dropout": 0.1,
    "batch_size": 16,
    "learning_rate": 2e-5,
    "token_dropout": 0.0,
}
"""Defaults of bi-encoders that start from a base model or a checkpoint."""


@dataclass(frozen=True, slots=True)
class EncoderSize:
    """Size of a model that is trained from scratch; ignored if there is a backbone, which has its own."""

    vocab_size: int = 4000
    """Tokens of the tokenizer."""
    hidden_size: int = 96
    """Width of the hidden states."""
    num_heads: int = 4
    """Attention heads per layer."""
    num_encoder_layers: int = 2
    """Encoder layers."""
    dropout: float = 0.0
    """Also applied to a base model or a T5 checkpoint; a checkpoint of the BERT family keeps its own."""

    def __post_init__(self) -> None:
        within("vocab_size", self.vocab_size, 100, 1_000_000)
        for name in ("num_heads", "num_encoder_layers"):
            within(name, getattr(self, name), 1, 100_000)
        within("dropout", self.dropout, 0, 0.95)
        if self.hidden_size < self.num_heads or self.hidden_size % self.num_heads:
            raise InputError(
                f"setting hidden_size: {self.hidden_size} is not a multiple of num_heads={self.num_heads}",
                code=ErrorCode.INVALID_SETTING,
                name="hidden_size",
            )

    def shape(self, vocab_size: int, decoder_layers: int = 0) -> T5Shape:
        """Return the shape of a T5 of this size; `vocab_size` is that of the trained tokenizer."""
        from lexgear.model.t5 import T5Shape

        return T5Shape.from_scratch(
            vocab_size,
            width=self.hidden_size,
            heads=self.num_heads,
            encoder_layers=self.num_encoder_layers,
            decoder_layers=decoder_layers,
            dropout=self.dropout,
        )


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """Settings of the training loop and of the split of the training queries."""

    epochs: int = 10
    """Passes over the training examples."""
    query_epochs: int = 5
    """Epochs over new training queries if the documents have been learnt before, as in cross-validation."""
    batch_size: int = 32
    """Examples per batch."""
    learning_rate: float = 0.003
    """Highest learning rate of Adam."""
    warmup: float = 0.1
    """Share of the steps until the highest rate is reached; it then falls to zero along a cosine."""
    gradient_accumulation: int = 1
    """Batches per step of the optimizer."""
    patience: int = 0
    """Epochs without a better validation value before training stops; 0 trains to the end without validation."""
    validation_share: float = 0.25
    """Share of the training queries held out, if something is chosen on them."""
    seed: int = 0
    """Random seed."""

    def __post_init__(self) -> None:
        for name in ("epochs", "query_epochs", "patience"):
            within(name, getattr(self, name), 0, 100_000)
        for name in ("batch_size", "gradient_accumulation"):
            within(name, getattr(self, name), 1, 100_000)
        for name in ("warmup", "validation_share"):
            within(name, getattr(self, name), 0, 0.95)
        within("learning_rate", self.learning_rate, 0, 1)
        within("seed", self.seed, 0)

    def loop(
        self,
        epochs: int | None = None,
        *,
        learning_rate: float | None = None,
        new_learning_rate: float = 0.0,
        validates: bool = True,
    ) -> LoopSettings:
        """Return the settings of a training loop, by default for `epochs` epochs with early stopping.

        `new_learning_rate` is that of weights which are not pretrained, relative to `self.learning_rate`: if
        `learning_rate` is lower, so is theirs.
        """
        from lexgear.training.loop import LoopSettings

        rate = self.learning_rate if learning_rate is None else learning_rate
        return LoopSettings(
            epochs=self.epochs if epochs is None else epochs,
            batch_size=self.batch_size,
            learning_rate=rate,
            new_learning_rate=new_learning_rate * (rate / self.learning_rate if self.learning_rate else 1.0),
            warmup=self.warmup,
            gradient_accumulation=self.gradient_accumulation,
            patience=self.patience if validates else 0,
            seed=self.seed,
        )


def check_tokenizer(tokenizer: str, backbone: str) -> None:
    """Raise `InputError` if a tokenizer is named although there is no checkpoint that could need it."""
    if tokenizer and backbone in ("", SHIPPED):
        raise InputError(
            f"setting tokenizer: {tokenizer!r} without a checkpoint",
            code=ErrorCode.INVALID_SETTING,
            remedy="name the checkpoint it belongs to as backbone",
            name="tokenizer",
        )
