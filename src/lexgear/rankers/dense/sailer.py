"""SAILER (Li et al., SIGIR 2023): an encoder of facts, pretrained to predict how a court reasons and decides.

As in "SAILER: Structure-aware Pre-trained Language Model for Legal Case Retrieval": an encoder reads the facts with 15%
of their tokens masked; two decoders of one layer restore reasoning and verdict, 45% masked, from its vector and what is
left standing; then the encoder learns to find documents as `dense` does. Differences: the same small encoder as every
other row, and the texts of the collection alone; every token to be restored is hidden from the decoders; charge names
are masked in the facts (prosecutors name them, undecided cases do not); a verdict that the source lacks is written out
from charges, articles and penalty. A published checkpoint brings its own pretraining.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.model.encoder.bodies import T5Body
from lexgear.model.encoder.sailer import StructureModel
from lexgear.progress import Progress
from lexgear.rankers.dense.bi_encoder import BiEncoderRanker
from lexgear.rankers.dense.case_parts import reasoning, verdict
from lexgear.rankers.dense.settings import DenseSettings
from lexgear.rankers.dense.training_pairs import document_examples
from lexgear.rankers.inputs import Inputs
from lexgear.settings import one_of, within
from lexgear.training.examples import Examples
from lexgear.training.objectives.sailer import StructureObjective
from lexgear.training.query_split import trainable_judgments


@dataclass(frozen=True, slots=True)
class SailerSettings(DenseSettings):
    """Settings of `sailer`."""

    pooling: Literal["cls", "mean"] = "cls"
    pretraining: Literal["none", "masked", "matching"] = "none"
    """Must stay `none`: SAILER has its own pretraining, unless a checkpoint brings it."""

    def __post_init__(self) -> None:
        DenseSettings.__post_init__(self)
        one_of("pretraining", self.pretraining, ("none",))
        within("pretraining_epochs", self.pretraining_epochs, 1, 100_000)


class Sailer(BiEncoderRanker):
    """A bi-encoder pretrained to predict reasoning and verdict from the facts."""

    name = "sailer"
    settings_type = SailerSettings
    label_from_scratch, published = "SAILER's pretraining, from scratch", "SAILER"
    checkpoint = "sailer"

    def _pretrain(self, collection: Collection, documents: Examples, progress: Progress) -> None:
        """Train on facts, reasoning and verdict of the judgments; a part that no document has is left out."""
        body = self.encoder.body
        chosen = [collection.documents[position] for position in trainable_judgments(collection)]
        if not isinstance(body, T5Body) or not chosen:
            return
        facts = document_examples(Inputs.of(collection, plain=True).masked_facts(chosen), self._encode)
        texts = {"reasoning": [*map(reasoning, chosen)], "verdict": [*map(verdict, chosen)]}
        parts = {name: self._part_examples(some) for name, some in texts.items() if any(some)}
        self.training.notes += [f"no document has a {name} to pretrain on" for name in texts if name not in parts]
        model = StructureModel(self.encoder, body, parts).to(self.encoder.device)
        self._run_loop(model, StructureObjective(model, facts, parts), len(facts), progress, "structure")

    def _part_examples(self, texts: Sequence[str]) -> Examples:
        """Return tokenised texts; no token of an empty text counts."""
        numbers, mask = self._encode(texts)
        present = np.array([bool(text.strip()) for text in texts])
        return Examples(numbers, mask & present[:, None], [np.zeros(0, np.int64)] * len(texts))
