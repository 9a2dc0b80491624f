"""Judgment by a base model alone: the law without documents."""

from __future__ import annotations

from datetime import date
from functools import cache

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection
from lexgear.docids.ids import DocIds
from lexgear.errors import ErrorCode, InputError
from lexgear.judgment.base_calibration import GENERATOR_ALONE
from lexgear.judgment.judge import judge
from lexgear.judgment.records import Judgment
from lexgear.law.shipped import chinese_criminal_law
from lexgear.law.tree import LawNode, LawTree, TreeBuilder
from lexgear.lexical.words import segmenter
from lexgear.model.device import best_device
from lexgear.pretraining.base import Base, shipped_base
from lexgear.privacy.neutral import Neutraliser
from lexgear.rankers.generative.generator_parts import GeneratorParts
from lexgear.rankers.generative.sentence_evidence import sentence_evidence
from lexgear.rankers.inputs import Inputs
from lexgear.rankers.lexgear.evidence import Evidence
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.inference import generate, known_nearness, mixed_walk, walk_weights
from lexgear.rankers.lexgear.settings import LexgearSettings
from lexgear.rankers.lexgear.weighting.weights import Weights
from lexgear.search.scorer import LogP
from lexgear.search.whole_law import whole_law


class BaseJudge:
    """Predicts charges with a base model and the words of the cases it was trained on. It is a `ChargePredictor`."""

    def __init__(self, base: Base, language: str) -> None:
        self.base, self.law, self.names = base, law_of(base), Neutraliser()
        self.weights = Weights.from_row(base.about.get("walk", GENERATOR_ALONE))
        settings = LexgearSettings()
        self.parts = GeneratorParts(settings, reads_facts=True, summary=True)
        self.parts.ids, self.parts.tokens, self.parts.base = base.ids, base.tokens, base
        self.parts.max_length = min(settings.max_length, base.backbone.shape.max_length)
        self.parts.generator = base.generator.to(best_device())
        collection = Collection("law", language, (), law=self.law)
        self.parts.inputs = Inputs.of(collection, settings.rationale_settings(), plain=True)

    def judge(self, text: str, date: date | str | None = None) -> Judgment:
        """Return the charges the facts lead to; for a law without charges, its likely places.

        `date` is the date of the act, read from the facts if it is not given.
        """
        return judge(self, self.law, text, self.names, date)

    @property
    def ids(self) -> DocIds:
        """The law tree."""
        return self.parts.ids

    def read(self, text: str) -> QueryFeatures:
        """Return the features of a text, computed once for all further calls."""
        inputs = self.parts.inputs
        words, rationale = segmenter(inputs.lexicon.language)(text), inputs.rationale(text)
        nearness = known_nearness(self.parts, self.base.charge_words, text, words)
        return QueryFeatures(
            words,
            rationale,
            nearness,
            lambda: generate(self.parts, text),
            lambda: self.base.matters.read(text) if self.base.matters else None,
        )

    def law_log_p(self, features: QueryFeatures) -> LogP:
        """Return log P of every law node."""
        weights = walk_weights(features, self.weights, self.base.matters)
        return whole_law(self.ids.trie, mixed_walk(self.ids, features, weights))

    def probability(self, features: QueryFeatures, log_share: float) -> float:
        """Return the calibrated probability that a charge applies."""
        return walk_weights(features, self.weights, self.base.matters).probability(log_share)

    def charge_nodes(self) -> NDArray[np.int64]:
        """Return the trie nodes of charges."""
        return self.ids.nodes_of("charge").astype(np.int64)

    def is_familiar(self, features: QueryFeatures) -> bool:
        """Return whether a text reads like the cases the base was trained on, unless its matter decides."""
        return self.base.matters is not None or self.base.familiar(features.words)

    def evidence(self, features: QueryFeatures) -> Evidence:
        """Return which sentences support which charge, by the generator's probabilities given each sentence alone."""
        return sentence_evidence(self.parts, features.rationale.sentences)


def law_of(base: Base) -> LawTree:
    """Return the law of a base: the shipped one if it is the same, otherwise its places with their titles."""
    shipped, trie = chinese_criminal_law(), base.ids.trie
    if any(name in shipped for name in base.ids.names):
        return shipped
    builder, titles = TreeBuilder(), base.about.get("titles", {})
    for node in range(1, trie.node_count):  # level by level: parents first
        name, above = base.ids.node_name(node), base.ids.node_name(int(trie.parent[node]))
        number, title = name.rsplit("/", 1)[-1], titles.get(name, "")
        builder.insert(LawNode(name, base.ids.node_kind(node), number, title, parent=above or None))
    return builder.tree()


@cache
def shipped_judge(language: str) -> BaseJudge:
    """Return a judge with the base model that comes with the package for a language."""
    base = shipped_base(language)
    if base is None:
        raise InputError(
            f"lexgear has no base model for {language!r}",
            code=ErrorCode.UNKNOWN_NAME,
            remedy="judge with an index",
            language=language,
        )
    return BaseJudge(base, language)
