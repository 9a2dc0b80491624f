"""Settings of the bi-encoders: what they start from, what they learn, how their vectors are searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from lexgear.rankers.model_settings import ENCODER_WITH_BACKBONE, EncoderSize, TrainingSettings, check_tokenizer
from lexgear.search.nearest import INDEXES
from lexgear.settings import one_of, within

SMALL = EncoderSize(hidden_size=64, num_heads=2, num_encoder_layers=1)
CHOICES = {"pooling": ("cls", "mean"), "pretraining": ("none", "masked", "matching"), "index": INDEXES}


@dataclass(frozen=True, slots=True)
class ContrastiveSettings:
    """Settings of the contrastive loss and its negatives."""

    temperature: float = 0.05
    """Divisor of the cosines: the smaller, the more the nearest wrong document counts."""
    token_dropout: float = 0.2
    """Share of a text's tokens left out in training, drawn anew each time."""
    hard_negatives: int = 2
    """Hard negatives per text."""
    negative_refresh: int = 2
    """Epochs after which the index that hard negatives are mined from is rebuilt; 0 uses in-batch negatives only."""
    weak_positives: bool = True
    """Train the facts of a judgment to find also the other documents with exactly its charges."""
    queries_per_batch: int = 8
    """Training queries beside a batch of judgments, or judgments beside a batch of training queries."""

    def __post_init__(self) -> None:
        within("temperature", self.temperature, 0.001, 10)
        within("token_dropout", self.token_dropout, 0, 0.95)
        within("hard_negatives", self.hard_negatives, 0, 100)
        for name in ("negative_refresh", "queries_per_batch"):
            within(name, getattr(self, name), 0, 100_000)


@dataclass(frozen=True, slots=True)
class DenseSettings:
    """Settings of a bi-encoder; the defaults learn the built-in sample on one core in about a minute."""

    with_backbone: ClassVar[Mapping[str, Any]] = ENCODER_WITH_BACKBONE
    max_length: int = 128
    """Longest input in tokens."""
    backbone: str = ""
    """Initial model: `shipped`, the base model that comes with the package for the collection's language;
    the directory of another base model; directory or hub name of a checkpoint of the T5 or the BERT family; empty for a
    model from scratch."""
    tokenizer: str = ""
    """Tokenizer of a checkpoint that comes without one: directory, file or hub name."""
    size: EncoderSize = SMALL
    pooling: Literal["cls", "mean"] = "mean"
    """The vector of a text: the state of its first token (`cls`) or the `mean` of all; base models need `mean`."""
    attention_window: int = 0
    """Tokens to either side that a token attends to, besides the first token; 0 attends to all."""
    pretraining: Literal["none", "masked", "matching"] = "none"
    """First task of the model, unless a checkpoint brings its own: `masked` tokens, or `matching` parts of a text."""
    pretraining_epochs: int = 5
    """Epochs of pretraining on the collection."""
    training: TrainingSettings = TrainingSettings(epochs=6, query_epochs=20)
    contrast: ContrastiveSettings = ContrastiveSettings()
    index: str = "exact"
    """Vector search: `exact` with numpy, `faiss` (also exact), or `hnsw`, faiss's graph, which may miss some."""

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            one_of(name, getattr(self, name), choices)
        within("max_length", self.max_length, 1, 100_000)
        check_tokenizer(self.tokenizer, self.backbone)
        within("epochs", self.training.epochs, 1, 100_000)
        for name in ("attention_window", "pretraining_epochs"):
            within(name, getattr(self, name), 0, 100_000)
