"""Judgments that are held out from the walk of `lexgear` to learn its weights on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from lexgear.corpus.records import Collection, Document
from lexgear.progress import Progress
from lexgear.rankers.lexgear.weighting.labelled_texts import LabelledText, held_out_texts
from lexgear.training.query_split import trainable_judgments

if TYPE_CHECKING:
    from lexgear.rankers.lexgear.ranker import Lexgear

HELD_OUT_EVERY, MAX_HELD_OUT = 20, 100
"""One judgment in 20, and at most 100, are held out from the walk to learn its weights on."""


class HeldOutJudgments:
    """Judgments that are held out from the walk to learn its weights on.

    They do not depend on the training queries, so that rankers over the same documents share them: they are chosen and
    read once for all folds of a cross-validation.
    """

    def __init__(self) -> None:
        self._positions: list[int] | None = None
        self._texts: list[LabelledText] | None = None

    def positions(self, ranker: Lexgear, collection: Collection) -> Sequence[int]:
        """Return the positions of the judgments, chosen at random.

        The base model is overconfident on texts it was trained on, so these are not chosen.
        """
        if self._positions is None:
            permitted = trainable_judgments(collection)
            shuffled = np.random.default_rng(ranker.settings.training.seed).permutation(permitted).tolist()
            facts = ((position, _fact_section(collection.documents[position])) for position in shuffled)
            unknown = (position for position, text in facts if text and not ranker.knows(text))
            count = min(len(permitted) // HELD_OUT_EVERY, MAX_HELD_OUT)
            self._positions = sorted(islice(unknown, count))
        return self._positions

    def texts(self, ranker: Lexgear, collection: Collection, progress: Progress) -> Sequence[LabelledText]:
        """Return the judgments as read by a ranker whose features do not know them."""
        if self._texts is None:
            positions = self.positions(ranker, collection)
            self._texts = list(held_out_texts(ranker, positions, collection.documents, progress))
        return self._texts


def _fact_section(document: Document) -> str:
    return document.sections.get("fact", "") or document.text
