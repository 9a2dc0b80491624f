"""SAILER (Li et al., SIGIR 2023): an encoder of facts, pretrained to predict how a court reasons and decides.

As in "SAILER: Structure-aware Pre-trained Language Model for Legal Case Retrieval": an encoder reads the facts with 15%
of their tokens masked; two decoders of one layer restore reasoning and verdict, 45% masked, from its vector and what is
left standing; then the encoder learns to find documents as `dense` does. A BERT as `backbone` is pretrained like that,
as published; SAILER's own checkpoint brings this pretraining. Differences: without a backbone, the same small encoder
as every other row; the texts of the collection alone; every token to be restored is hidden from the decoders; the head
that guesses tokens is new; charge names are masked in the facts (prosecutors name them, undecided cases do not); a
verdict that the source lacks is written out from charges, articles and penalty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.errors import ErrorCode, InputError
from lexgear.model.encoder.bodies import BertBody, Masking, T5Body
from lexgear.model.encoder.sailer import BertStructureModel, StructureModel, T5StructureModel
from lexgear.progress import Progress
from lexgear.rankers.dense.bi_encoder import BiEncoderRanker
from lexgear.rankers.dense.case_parts import reasoning, verdict
from lexgear.rankers.dense.encoder_start import Start
from lexgear.rankers.dense.settings import DenseSettings
from lexgear.rankers.dense.training_pairs import document_examples
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.model_settings import ENCODER_WITH_BACKBONE
from lexgear.settings import one_of, within
from lexgear.training.examples import Examples
from lexgear.training.loop import Loop
from lexgear.training.objectives.sailer import StructureObjective
from lexgear.training.query_split import trainable_judgments


@dataclass(frozen=True, slots=True)
class SailerSettings(DenseSettings):
    """Settings of `sailer`."""

    with_backbone: ClassVar[Mapping[str, Any]] = {**ENCODER_WITH_BACKBONE, "decoder_learning_rate": 5e-4}
    pooling: Literal["cls", "mean"] = "cls"
    pretraining: Literal["none", "masked", "matching"] = "none"
    """Must stay `none`: SAILER has its own pretraining, unless a checkpoint brings it."""
    decoder_learning_rate: float = 0.0
    """Highest learning rate of what pretraining adds to a checkpoint: decoders and head; 0 for `learning_rate`."""

    def __post_init__(self) -> None:
        DenseSettings.__post_init__(self)
        one_of("pretraining", self.pretraining, ("none",))
        within("pretraining_epochs", self.pretraining_epochs, 1, 100_000)
        within("decoder_learning_rate", self.decoder_learning_rate, 0, 1)


class Sailer(BiEncoderRanker):
    """A bi-encoder pretrained to predict reasoning and verdict from the facts."""

    name = "sailer"
    settings_type = SailerSettings
    label_from_scratch, published = "SAILER's pretraining, from scratch", "SAILER"
    checkpoint = "sailer"
    settings: SailerSettings

    def _pretrains(self, begun: Start) -> bool:
        return not begun.published or self.starts_from_other_checkpoint()

    def _pretrain(self, collection: Collection, documents: Examples, progress: Progress) -> None:
        """Train on facts, reasoning and verdict of the judgments; a part that no document has is left out."""
        chosen = [collection.documents[position] for position in trainable_judgments(collection)]
        if not chosen:
            return
        facts = document_examples(Inputs.of(collection, plain=True).masked_facts(chosen), self._encode)
        texts = {"reasoning": [*map(reasoning, chosen)], "verdict": [*map(verdict, chosen)]}
        parts = {name: self._part_examples(some) for name, some in texts.items() if any(some)}
        self.training.notes += [f"no document has a {name} to pretrain on" for name in texts if name not in parts]
        model = self._structure_model(parts).to(self.encoder.device)
        settings = self.settings.training.loop(
            self.settings.pretraining_epochs,
            new_learning_rate=self.settings.decoder_learning_rate,
            validates=False,
        )
        loop = Loop(model, StructureObjective(model, facts, parts), len(facts), settings, pretrained=[self.encoder])
        self.training.run(loop, progress, "structure")

    def _structure_model(self, parts: Iterable[str]) -> StructureModel:
        body = self.encoder.body
        if isinstance(body, T5Body):
            return T5StructureModel(self.encoder, body, parts)
        assert isinstance(body, BertBody)
        mask = self.tokens.mask()
        if mask is None:
            raise InputError(
                "SAILER's pretraining needs a tokenizer with a mask token",
                code=ErrorCode.CHECKPOINT_INVALID,
                file=Path(self.settings.backbone),
                remedy="use the tokenizer that the checkpoint was pretrained with",
            )
        masking = Masking(mask, self.tokens.size, tuple(self.tokens.special_ids()))
        return BertStructureModel(self.encoder, body, parts, masking)

    def _part_examples(self, texts: Sequence[str]) -> Examples:
        """Return tokenised texts; no token of an empty text counts."""
        numbers, mask = self._encode(texts)
        present = np.array([bool(text.strip()) for text in texts])
        return Examples(numbers, mask & present[:, None], [np.zeros(0, np.int64)] * len(texts))
