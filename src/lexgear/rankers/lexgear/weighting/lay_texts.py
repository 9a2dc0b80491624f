"""Choice of the walk for lay texts: that of the base model, or the one learnt from the collection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from lexgear.corpus.records import Collection, Query
from lexgear.rankers.lexgear.weighting.calibration import log_odds
from lexgear.rankers.lexgear.weighting.labelled_texts import LabelledText, labelled_text
from lexgear.rankers.lexgear.weighting.weights import Weights
from lexgear.training.query_split import charges_of

if TYPE_CHECKING:
    from lexgear.rankers.lexgear.ranker import Lexgear

MIN_TEXTS = 20
"""Lay training queries below which the walk of the base model is kept."""


def lay_walk_suits(ranker: Lexgear, collection: Collection, queries: Sequence[Query], own: Weights) -> bool:
    """Return whether the walk of the base model judges the lay training queries at least as well as the own walk.

    The walk for lay texts trusts the classifier of matters and little else. A collection whose queries use the words of
    its documents loses by it: on the built-in sample, nDCG@10 fell from .557 to .437 when it read all short texts.
    """
    matters = ranker.inference.matters
    texts = list(_lay_texts(ranker, collection, queries)) if matters and matters.walk else []
    if matters is None or len(texts) < MIN_TEXTS:
        return True
    lay = Weights.from_row(matters.walk)
    return sum(_loss(ranker, text, lay) for text in texts) <= sum(_loss(ranker, text, own) for text in texts)


def _lay_texts(ranker: Lexgear, collection: Collection, queries: Sequence[Query]) -> Iterator[LabelledText]:
    inference = ranker.inference
    for query in queries:
        features, charges = inference.read(query.text), charges_of(collection, query)
        if charges and features.is_lay and features.matter is not None:
            text = labelled_text(ranker, features, charges)
            yield replace(text, classified=features.matter.charge_log_p(inference.ids))


def _loss(ranker: Lexgear, text: LabelledText, weights: Weights) -> float:
    """Return the log loss of the calibrated probabilities of all charges."""
    inference = ranker.inference
    shares = text.log_p(inference.ids.trie, weights)[inference.charge_nodes()]
    logits = weights.slope * log_odds(shares) + weights.offset
    return float(np.logaddexp(0, logits).sum() - logits[text.applies].sum())
