"""The settings that the generative baselines share: how IDs are scored and searched."""

from __future__ import annotations

from dataclasses import dataclass

from lexgear.rankers.generative.model_settings import ModelSettings
from lexgear.settings import one_of, within

SOFTMAX = ("children", "vocabulary")
SEARCH = ("exact", "beam")


@dataclass(frozen=True, slots=True)
class GenerativeSettings(ModelSettings):
    """Settings of a system that reads texts as they are and generates IDs by the beam search of its paper."""

    vectors: str = ""
    """What embeds documents for their IDs: a directory of the BERT family, or `own`, the encoder before it is trained;
    without any a truncated SVD of their words."""
    softmax: str = "vocabulary"
    """Over all symbols of IDs (`vocabulary`), or over those that may follow (`children`)."""
    search: str = "beam"
    """`beam`, never outside the IDs there are; or `exact`."""
    beams: int = 30

    def __post_init__(self) -> None:
        ModelSettings.__post_init__(self)
        one_of("softmax", self.softmax, SOFTMAX)
        one_of("search", self.search, SEARCH)
        within("beams", self.beams, 1, 100_000)
        within("epochs", self.epochs, 1, 100_000)

    def embedder(self) -> str:
        """What embeds documents for their IDs."""
        return self.vectors
