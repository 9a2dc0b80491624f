"""The settings of a base model: what it reads, how large it is, how long it learns, how much each task counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexgear.errors import InputError

if TYPE_CHECKING:
    from lexgear.model.t5 import T5Shape

PREPARED = ("vocabulary", "kept", "reasoning", "neighbours", "negatives", "validation", "seed")
"""The settings that `prepare` looks at; the others may change without preparing again."""


@dataclass(frozen=True, slots=True)
class PretrainSettings:
    """A model of about 23 million parameters."""

    vocabulary: int = 12_000
    """Tokens of the tokenizer: pieces of words."""
    kept: int = 1536
    """Tokens kept of the facts of a case; the encoder reads windows of them."""
    reasoning: int = 256
    """Tokens kept of the court's reasoning, or of what asks for an article."""
    neighbours: int = 30
    """Cases with the most similar facts that are kept for each case."""
    negatives: int = 8
    """Cases of others that the reasoning of a case finds first."""
    validation: int = 400
    """Cases kept out of learning, to measure on."""
    tokens: int = 512
    """Longest text the encoder reads."""
    width: int = 384
    heads: int = 6
    head_width: int = 64
    inner: int = 1024
    encoder_layers: int = 6
    decoder_layers: int = 3
    dropout: float = 0.1
    steps: int = 20_000
    seconds: float = 0.0
    """Time to learn in, steps or not; 0 leaves it to the steps."""
    batch: int = 256
    """Cases a step, of all processes together."""
    group: int = 4
    """Cases that come together: one, and some that look like it."""
    articles: float = 0.25
    """Largest share of statutory articles, where there are judgments too; questions come first."""
    rate: float = 1e-3
    """Highest learning rate of AdamW."""
    warm_up: float = 0.03
    """Share of the run until that rate is reached; then it falls to zero along a cosine."""
    decay: float = 0.01
    """Weight decay."""
    clip: float = 1.0
    """Longest gradient."""
    temperature: float = 0.05
    """Of the likeness of vectors."""
    spans: float = 1.0
    """Weight of masked spans."""
    law: float = 1.0
    """Weight of facts → law path."""
    retelling: float = 0.5
    """Weight of facts → the court's reasoning."""
    own_facts: float = 0.5
    """Weight of the reasoning as a query for its own facts."""
    likeness: float = 0.5
    """Weight of the likeness of facts, taught by their words and charges."""
    log: int = 50
    """Steps a row of the log."""
    keep: int = 1000
    """Steps between checkpoints, each with a measurement on the cases kept out."""
    seed: int = 0

    def __post_init__(self) -> None:
        whole = ("kept", "reasoning", "tokens", "width", "heads", "head_width", "inner", "encoder_layers")
        for name in (*whole, "decoder_layers", "steps", "batch", "group", "log", "keep"):
            _at_least(name, getattr(self, name), 1)
        weights = ("spans", "law", "retelling", "own_facts", "likeness")
        for name in (*weights, "seconds", "decay", "neighbours", "negatives", "validation", "seed"):
            _at_least(name, getattr(self, name), 0)
        for name in ("rate", "clip", "temperature"):
            _at_least(name, getattr(self, name), 1e-9)
        for name in ("dropout", "warm_up", "articles"):
            if not 0 <= getattr(self, name) < 1:
                raise InputError(f"setting {name}: {getattr(self, name)} is not between 0 and 1")
        if not 300 <= self.vocabulary <= 65_000:  # numbers are kept in 16 bits
            raise InputError(f"setting vocabulary: {self.vocabulary} is not between 300 and 65000")
        if self.kept < self.tokens:
            raise InputError(f"setting kept: {self.kept} is less than the {self.tokens} tokens the encoder reads")
        if not any(getattr(self, name) for name in weights):
            raise InputError("every task has weight 0: nothing to learn")

    def shape(self, vocabulary: int) -> T5Shape:
        """The sizes of the model."""
        from lexgear.model.t5 import T5Shape

        return T5Shape(
            vocabulary=vocabulary,
            width=self.width,
            heads=self.heads,
            head_width=self.head_width,
            inner=self.inner,
            encoder_layers=self.encoder_layers,
            decoder_layers=self.decoder_layers,
            dropout=self.dropout,
        )


def _at_least(name: str, value: float, low: float) -> None:
    if not value >= low:
        raise InputError(f"setting {name}: {value} is less than {low:g}")
