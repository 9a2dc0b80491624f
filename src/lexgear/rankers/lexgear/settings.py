"""Settings of `lexgear`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from lexgear.rankers.generative.settings import check_generator
from lexgear.rankers.model_settings import SHIPPED, EncoderSize, TrainingSettings
from lexgear.rationale.records import RationaleSettings
from lexgear.settings import one_of, within

NONE, QUERY, FULL = "none", "query", "full"
"""Values of the setting `adapt`."""


@dataclass(frozen=True, slots=True)
class LexgearSettings:
    """Settings of `lexgear`."""

    with_backbone: ClassVar[Mapping[str, Any]] = {
        "learning_rate": 5e-5,
        "decoder_learning_rate": 5e-4,
        "token_dropout": 0.0,
    }
    max_length: int = 384
    """Longest input in tokens. The Chinese base model was trained with 384; 512 take a third more time."""
    backbone: str = SHIPPED
    """Initial model of the generator: `shipped`, the base model that comes with the package for the collection's
    language; the directory of another base model; directory or hub name of a checkpoint of the T5 or the BERT family.
    If it is empty, or if no base is shipped for a language, `lexgear` ranks by words alone, unless `epochs` train a
    model from scratch."""
    tokenizer: str = ""
    """Tokenizer of a checkpoint that comes without one: directory, file or hub name."""
    size: EncoderSize = EncoderSize(dropout=0.1)
    num_decoder_layers: int = 1
    """Decoder layers of a model from scratch."""
    training: TrainingSettings = TrainingSettings(epochs=0)
    """With 0 epochs the generator stays as it is, and only weights are learnt."""
    decoder_learning_rate: float = 0.0
    """Highest learning rate of weights that a checkpoint does not bring: those of the IDs, and the decoder of a BERT;
    0 for `learning_rate`."""
    extraction: RationaleSettings = RationaleSettings()
    prototypes: str = ""
    """Encoder for B3: a directory of the BERT family, or `own`, the encoder before training; empty for no B3."""
    adapt: Literal["none", "query", "full"] = "query"
    """Adaptation of the vectors to the training queries, if there are no `epochs`: `none`; `query`, a learnt matrix
    on the side of the queries (seconds on a CPU); `full`, the whole encoder is fine-tuned (needs a GPU)."""
    legal_terms: bool = True
    """Look up the everyday expressions of a question in the lexicon of legal terms (`lexical/data`): the terms are
    searched with a learnt weight, and the encoder reads them after the question, unless the base model has learnt
    questions of the collection as they are. Collections of statutes only."""
    token_dropout: float = 0.2
    """Share of a text's tokens left out in training, drawn anew each time."""

    def __post_init__(self) -> None:
        check_generator(self)
        within("token_dropout", self.token_dropout, 0, 0.95)
        one_of("adapt", self.adapt, (NONE, QUERY, FULL))

    def rationale_settings(self) -> RationaleSettings | None:
        """Return the settings of f_R."""
        return self.extraction

    def embedder(self) -> str:
        """Return the encoder that embeds texts for B3."""
        return self.prototypes
