"""Judgment of `gear`: the law nodes that its search generates on the way to the documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.ids import DocIds
from lexgear.docids.trie import Trie
from lexgear.lexical.words import segmenter
from lexgear.rankers.generative.generator_parts import GeneratorParts
from lexgear.rankers.generative.sentence_evidence import sentence_evidence
from lexgear.rankers.generative.settings import DecodingSettings
from lexgear.rankers.lexgear.evidence import Evidence
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.search.beam import beam_search
from lexgear.search.scorer import LogP, Result, Walk
from lexgear.search.whole_law import whole_law


@dataclass(frozen=True)
class GearPredictor:
    """Predicts charges by the generator alone. It is a `ChargePredictor`."""

    parts: GeneratorParts
    decoding: DecodingSettings
    walk: Callable[[str], Walk]
    """Returns the ranker's walk for a text as the model reads it."""

    @property
    def ids(self) -> DocIds:
        """The law tree with the documents below."""
        return self.parts.ids

    def read(self, text: str) -> QueryFeatures:
        """Return the features of a text: its rationale, and the walk of the generator that reads it."""
        inputs = self.parts.inputs
        rationale, words = inputs.rationale(text), segmenter(inputs.lexicon.language)(text)
        model_input = inputs.of_query(text, rationale)
        return QueryFeatures(words, rationale, np.zeros(0), lambda: (self.walk(model_input), np.zeros(0)))

    def law_log_p(self, features: QueryFeatures) -> LogP:
        """Return log P of every law node, exact or as the beams generated it; NaN for documents."""
        trie, decoding = self.ids.trie, self.decoding
        if decoding.search == "exact":
            return whole_law(trie, features)
        return law_of_beams(trie, beam_search(trie, features, decoding.num_beams, decoding.num_beams))

    def probability(self, features: QueryFeatures, log_share: float) -> float:
        """Return the share itself: the generator is not calibrated."""
        return float(np.exp(log_share))

    def charge_nodes(self) -> NDArray[np.int64]:
        """Return the trie nodes of charges."""
        return self.ids.nodes_of("charge").astype(np.int64)

    def evidence(self, features: QueryFeatures) -> Evidence:
        """Return which sentences of the rationale support which charge."""
        return sentence_evidence(self.parts, features.rationale.sentences)

    def is_familiar(self, features: QueryFeatures) -> bool:
        """Return True: the generator does not know what it has not seen."""
        return True


def law_of_beams(trie: Trie, beams: Result) -> LogP:
    """Return log P of the law nodes that the beams generated: −∞ for the others, NaN for documents.

    At every node, the probabilities of the children that were generated are divided by their sum. The documents below
    do not count: a charge with many documents would lose its place among the beams to a charge with few.
    """
    log_p = np.where(trie.document >= 0, np.nan, -np.inf)
    log_p[0] = 0.0
    expanded = (trie.child_count > 0) & ~np.isnan(beams.log_p[trie.first_child])
    nodes = np.flatnonzero(expanded)[1:]
    parents = trie.parent[nodes]
    steps, sums = beams.log_p[nodes] - beams.log_p[parents], np.full(trie.node_count, -np.inf)
    np.logaddexp.at(sums, parents, steps)
    for node, parent, step in zip(nodes.tolist(), parents.tolist(), steps - sums[parents], strict=True):
        log_p[node] = log_p[parent] + step
    return log_p
