"""The judgment: which charges a text leads to, by which articles, how surely, and what speaks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lexgear.law.tree import LawTree
from lexgear.lexical.words import segmenter
from lexgear.rankers.lexgear import Lexgear
from lexgear.rationale.records import rationale_rows

FEWEST_WORDS = 4
"""Known words below which a text says too little to be judged."""
FAMILIAR = 0.3
"""Share of a text's words that the cases of the index must know."""
MOST_CHARGES = 10
APPLIES = 0.5
"""Probability from which a charge is said to apply."""


@dataclass(frozen=True, slots=True)
class ChargeOpinion:
    """One charge: how much of the tree's mass leads there, and how probable it is that it applies."""

    name: str
    probability: float
    share: float
    path: tuple[str, ...]
    """Law node ids from the code down to the charge."""
    applies: bool


@dataclass(frozen=True, slots=True)
class Opinion:
    """The judgment on a text: charges, most probable first; a note where there is nothing to judge."""

    charges: tuple[ChargeOpinion, ...]
    articles: tuple[str, ...]
    """Numbers of the articles of the charges that apply."""
    rationale: dict[str, Any]
    note: str = ""

    def to_row(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        names = ("name", "probability", "share", "path", "applies")
        charges = [{name: getattr(charge, name) for name in names} for charge in self.charges]
        return {"charges": charges, "articles": self.articles, "rationale": self.rationale, "note": self.note}


def judge(ranker: Lexgear, law: LawTree, text: str) -> Opinion:
    """Reads the judgment off one walk over the whole law."""
    words = segmenter(ranker.bm25.language)(text)
    known = ranker.law_words.weights.known(words)
    rationale = rationale_rows(ranker.inputs.rationale(text))
    if len(known) < FEWEST_WORDS:
        return Opinion((), (), rationale, "too little text to judge: describe what happened")
    if len(known) < FAMILIAR * len(words):
        return Opinion((), (), rationale, "this does not read like the cases of this index")
    log_p, nodes = ranker.shares(text), ranker.charge_nodes()
    if not len(nodes):
        return Opinion((), (), rationale, "the law of this index has no charges")
    best = nodes[np.argsort(-log_p[nodes], kind="stable")[:MOST_CHARGES]]
    charges = tuple(_opinion(ranker, law, int(node), float(log_p[node])) for node in best)
    applied = [charge for charge in charges if charge.applies]
    articles = dict.fromkeys(
        law[step].number for charge in applied for step in charge.path if law[step].kind == "article"
    )
    note = "" if applied else "no charge is probable enough to be named; the likeliest are listed"
    return Opinion(charges, tuple(articles), rationale, note)


def _opinion(ranker: Lexgear, law: LawTree, node: int, log_share: float) -> ChargeOpinion:
    place = law[ranker.ids.node_name(node)]
    probability = ranker.mixture.probability(log_share)
    path = tuple(step.id for step in law.path(place))
    return ChargeOpinion(
        place.number, round(probability, 4), round(float(np.exp(log_share)), 6), path, probability >= APPLIES
    )
