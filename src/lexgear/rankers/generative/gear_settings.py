"""Settings of `gear`, named as in the paper if the paper names them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from lexgear.rankers.generative.settings import DecodingSettings, check_generator
from lexgear.rankers.model_settings import GENERATOR_WITH_BACKBONE, EncoderSize, TrainingSettings
from lexgear.rationale.records import RationaleSettings
from lexgear.settings import one_of, within
from lexgear.training.losses import LossSettings


@dataclass(frozen=True, slots=True)
class GearSettings:
    """Settings of `gear`.

    The defaults learn the built-in sample on two cores in about a minute. There is no dropout, since indexing is
    memorising.
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
    rationale: bool = True
    """Read rationales; otherwise the first tokens of the text (without f_R)."""
    extraction: RationaleSettings = RationaleSettings()
    prototypes: str = ""
    """Encoder for B3: a directory of the BERT family, or `own`, the encoder before training; empty for no B3."""
    ids: Literal["law", "kmeans"] = "law"
    """ID scheme: documents under the `law`, or in clusters found by `kmeans` (without f_T)."""
    id_shape: Literal["natural", "fixed", "flat"] = "natural"
    """Shape of law IDs: `natural` depth, `fixed` depth as in the paper, or `flat` (charge, document)."""
    decoding: DecodingSettings = DecodingSettings(softmax="children", search="exact")
    losses: LossSettings = LossSettings()
    num_train_beams: int = 10
    """Beams per query in the revision loss."""
    judgments_as_queries: bool = True
    """Use the facts of judgments as training queries too, read by the query's side of f_R."""

    def __post_init__(self) -> None:
        check_generator(self)
        one_of("ids", self.ids, ("law", "kmeans"))
        one_of("id_shape", self.id_shape, ("natural", "fixed", "flat"))
        within("epochs", self.training.epochs, 1, 100_000)
        within("num_train_beams", self.num_train_beams, 0, 1000)

    def rationale_settings(self) -> RationaleSettings | None:
        """Return the settings of f_R; None without f_R."""
        return self.extraction if self.rationale else None

    def embedder(self) -> str:
        """Return what embeds texts for B3 and for k-means IDs."""
        return self.prototypes
