"""The charges that a system predicts for a text, independent of the documents it finds."""

from __future__ import annotations

import numpy as np

from lexgear.corpus.records import Collection
from lexgear.judgment.judge import judge
from lexgear.rankers.base import Ranker
from lexgear.rankers.generative.gear import Gear
from lexgear.rankers.lexgear.law_walk import whole_law
from lexgear.rankers.lexgear.ranker import Lexgear

MOST = 10
"""Charges returned at most."""


def predicted_charges(ranker: Ranker, collection: Collection, text: str) -> list[str]:
    """Return the names of charges, most probable first; none if the system does not model the law."""
    if isinstance(ranker, Lexgear):
        return [charge.name for charge in judge(ranker, collection.law, text).charges][:MOST]
    if isinstance(ranker, Gear) and ranker.settings.ids == "law":
        nodes = ranker.ids.nodes_of("charge")
        order = np.argsort(-whole_law(ranker.ids.trie, ranker.walk(text))[nodes], kind="stable")[:MOST]
        return [ranker.ids.node_name(node).rsplit("/", 1)[-1] for node in nodes[order].tolist()]
    return []
