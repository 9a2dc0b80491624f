"""Settings of rankers with a generator: what all of them have, and how IDs are scored and searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from lexgear.rankers.model_settings import GENERATOR_WITH_BACKBONE, EncoderSize, TrainingSettings, check_tokenizer
from lexgear.rationale.records import RationaleSettings
from lexgear.settings import one_of, within


class GeneratorSettings(Protocol):
    """Protocol of the settings that `GeneratorParts` needs."""

    @property
    def max_length(self) -> int:
        """Longest input in tokens."""

    @property
    def backbone(self) -> str:
        """Initial model."""

    @property
    def tokenizer(self) -> str:
        """Tokenizer of a checkpoint that comes without one."""

    @property
    def size(self) -> EncoderSize:
        """Size of a model from scratch."""

    @property
    def num_decoder_layers(self) -> int:
        """Decoder layers of a model from scratch."""

    @property
    def training(self) -> TrainingSettings:
        """Settings of the training loop."""

    @property
    def decoder_learning_rate(self) -> float:
        """Learning rate of weights that a checkpoint does not bring."""

    def rationale_settings(self) -> RationaleSettings | None:
        """Return the settings of f_R; None if the model reads texts as they are."""

    def embedder(self) -> str:
        """Return what embeds whole texts: a directory of the BERT family, `own`, or an empty string."""


@dataclass(frozen=True, slots=True)
class DecodingSettings:
    """Settings of scoring and searching IDs."""

    softmax: Literal["children", "vocabulary"] = "vocabulary"
    """Normalise over all symbols (`vocabulary`), or over those that may follow (`children`)."""
    search: Literal["beam", "exact"] = "beam"
    """`beam` search constrained to existing IDs, or `exact` search over the whole tree."""
    num_beams: int = 30
    """Beams of the search."""

    def __post_init__(self) -> None:
        one_of("softmax", self.softmax, ("children", "vocabulary"))
        one_of("search", self.search, ("beam", "exact"))
        within("num_beams", self.num_beams, 1, 100_000)

    @property
    def over_children(self) -> bool:
        """True if probabilities are normalised over the children of a node."""
        return self.softmax == "children"


@dataclass(frozen=True, slots=True)
class GenerativeSettings:
    """Settings of a system that reads texts as they are and generates IDs, such as `dsi`.

    The defaults learn the built-in sample on two cores in about a minute.
    """

    with_backbone: ClassVar[Mapping[str, Any]] = GENERATOR_WITH_BACKBONE
    max_length: int = 96
    """Longest input in tokens."""
    backbone: str = ""
    """Initial model: `shipped`, the base model that comes with the package for the collection's language;
    the directory of another base model; directory or hub name of a checkpoint of the T5 or the BERT family; empty for
    a model from scratch."""
    tokenizer: str = ""
    """Tokenizer of a checkpoint that comes without one: directory, file or hub name."""
    size: EncoderSize = EncoderSize()
    num_decoder_layers: int = 1
    """Decoder layers of a model from scratch."""
    training: TrainingSettings = TrainingSettings()
    decoder_learning_rate: float = 0.0
    """Highest learning rate of weights that a checkpoint does not bring: the tables of IDs, and the decoder of a BERT;
    0 for `learning_rate`."""
    decoding: DecodingSettings = DecodingSettings()
    vectors: str = ""
    """Encoder of documents for their IDs: a directory of the BERT family, or `own`, the encoder before training; empty
    for a truncated SVD of their words."""

    def __post_init__(self) -> None:
        check_generator(self)
        within("epochs", self.training.epochs, 1, 100_000)

    def rationale_settings(self) -> RationaleSettings | None:
        """Return None: texts are read as they are."""
        return None

    def embedder(self) -> str:
        """Return what embeds documents for their IDs."""
        return self.vectors


def check_generator(settings: GeneratorSettings) -> None:
    """Raise `InputError` if a value is out of range or there is a tokenizer without a checkpoint."""
    within("max_length", settings.max_length, 1, 100_000)
    within("num_decoder_layers", settings.num_decoder_layers, 1, 100_000)
    within("decoder_learning_rate", settings.decoder_learning_rate, 0, 1)
    check_tokenizer(settings.tokenizer, settings.backbone)
