"""The charges that a system predicts for a text, independent of the documents it finds."""

from __future__ import annotations

from lexgear.corpus.records import Collection
from lexgear.judgment.judge import judge
from lexgear.rankers.base import Ranker

MOST = 10
"""Charges returned at most."""


def predicted_charges(ranker: Ranker, collection: Collection, text: str) -> list[str]:
    """Return the names of charges, most probable first; none if the system does not judge."""
    if not ranker.can_judge():
        return []
    judgment = judge(ranker.charge_predictor(), collection.law, text, ranker.names)
    return [charge.name for charge in judgment.charges][:MOST]
