"""Inference of `lexgear`: read a text once, walk down the law, score documents by words, vectors and past questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexgear.docids.ids import DocIds
from lexgear.lexical.words import segmenter
from lexgear.model.generator.cuda_graph import MAX_NODES, GraphedGenerator, PrecomputedWalk
from lexgear.model.generator.walk import ModelWalk
from lexgear.pretraining.charge_words import WHOLE, ChargeWords
from lexgear.pretraining.matters import Matters
from lexgear.rankers.generative.generator_parts import GeneratorParts
from lexgear.rankers.lexgear.evidence import Evidence
from lexgear.rankers.lexgear.features.concepts import Concepts
from lexgear.rankers.lexgear.features.document_features import DocumentFeatures
from lexgear.rankers.lexgear.features.law_centroids import potentials
from lexgear.rankers.lexgear.features.moments import Moments
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.features.query_matrix import QueryMatrix
from lexgear.rankers.lexgear.law_walk import MixedWalk
from lexgear.rankers.lexgear.weighting.weights import LeafScores, Weights
from lexgear.search.scorer import LogP, Walk
from lexgear.search.whole_law import whole_law

MIN_WORDS = 4
"""Fewest words of a text that can be judged, and fewest of them that the index must know."""
MIN_FAMILIARITY = 0.04
"""Least nearness of a text to the nearest charge. The first 200 characters of facts from CAIL2018 (300 cases) reach it
in 95% of the cases on an index of the sample, in all cases on one of LeCaRD. Of 28 texts about other things (recipes,
weather, letters, contracts) 21 and 15 do not; of the rest all but one and two get no charge by their probability."""
MIN_SPREAD = 1e-3
"""Cosines of different texts have a standard deviation of .05 and more; those of documents without words, 1e-8."""


@dataclass
class Inference:
    """A trained `lexgear` model over the documents of an index. It is a `ChargePredictor`."""

    parts: GeneratorParts
    weights: Weights
    concepts: Concepts
    features: DocumentFeatures
    charge_words: ChargeWords | None = None
    """Words of the cases under each charge that the base model was trained on."""
    query_matrix: QueryMatrix | None = None
    """Map of query vectors, if one was learnt."""
    matters: Matters | None = None
    """Classifier of criminal and other matters, if the encoder is that of a base model that has one."""
    _graphed: GraphedGenerator | None = None

    @property
    def ids(self) -> DocIds:
        """The IDs of the documents, and the law above them."""
        return self.parts.ids

    def read(self, text: str) -> QueryFeatures:
        """Return the features of a text, computed once for all further calls."""
        inputs = self.parts.inputs
        rationale, words = inputs.rationale(text), segmenter(inputs.lexicon.language)(text)
        model_input = inputs.of_query(text, rationale)
        return QueryFeatures(
            words,
            rationale,
            self._nearness(text, words),
            lambda: self._generate(model_input),
            lambda: self.matters.read(text) if self.matters else None,
            inputs.terms(text),
        )

    def walk(self, features: QueryFeatures) -> MixedWalk:
        """Return the walk of a text down the law, by generator and words together."""
        return mixed_walk(self.ids, features, walk_weights(features, self.weights, self.matters))

    def law_log_p(self, features: QueryFeatures) -> LogP:
        """Return log P of every law node of the trie; NaN for documents."""
        return whole_law(self.ids.trie, self.walk(features))

    def probability(self, features: QueryFeatures, log_share: float) -> float:
        """Return the calibrated probability that a charge applies, from the log of its share of the tree's mass."""
        return walk_weights(features, self.weights, self.matters).probability(log_share)

    def charge_nodes(self) -> NDArray[np.int64]:
        """Return the trie nodes of charges, with or without documents below."""
        return self.ids.nodes_of("charge").astype(np.int64)

    def evidence(self, features: QueryFeatures) -> Evidence:
        """Return which sentences of the rationale support which charge."""
        segment, sentences = segmenter(self.parts.inputs.lexicon.language), features.rationale.sentences
        cosines = [self.features.law_words.cosines(segment(part.text)) for part in sentences]
        nearness = np.array(cosines).reshape(len(sentences), self.ids.trie.node_count)
        return Evidence(self.ids, sentences, lambda nodes: nearness[:, list(nodes)])

    def is_familiar(self, features: QueryFeatures) -> bool:
        """Return whether a text comes near enough to some charge, unless its matter decides.

        Words that no case has count against it.
        """
        if self.matters is not None:
            return True
        law_words = self.features.law_words
        known = law_words.known(features.words)
        return len(known) >= MIN_WORDS and law_words.familiarity(features.words) >= MIN_FAMILIARITY

    def leaf_scores(self, features: QueryFeatures, *, vectors: bool = True, include_same: bool = True) -> LeafScores:
        """Return the leaf scores of each document; `vectors=False` leaves the encoder out.

        Without `include_same`, training queries equal to the text are ignored.
        """
        words = self.features.bm25.index.sums(features.words).astype(np.float64)
        terms = self.features.bm25.index.sums(features.legal_words).astype(np.float64)
        vector = features.vector if self.parts.has_generator and vectors else None
        content = np.zeros(len(words))
        if vector is not None:
            mapped = self.query_matrix.mapped(vector) if self.query_matrix else vector
            content = self._standardised(self.features.vectors.cosines(mapped))
        concepts = self.features.concepts.cosines(self.concepts.vector(features.words))
        return LeafScores(
            self._standardised(words),
            content,
            self._standardised(concepts),
            *self.features.past_questions.scores(features.words, vector, include_same=include_same),
            terms / term_scale(self._deviation(words), self._deviation(terms)),
        )

    def _standardised(self, values: LogP) -> LogP:
        """Return values in units of their standard deviation; values that differ only by rounding stay small."""
        return np.asarray(values / max(self._deviation(values), MIN_SPREAD))

    def _deviation(self, values: LogP) -> float:
        """Return the standard deviation over the documents that were not removed."""
        live = self.features.bm25.documents.live
        return Moments.of(values if live is None else values[live]).deviation

    @property
    def ranks_by_vectors(self) -> bool:
        """True if the encoder's vector of a query has a weight in the ranking score."""
        weights, questions = self.weights, self.features.past_questions
        asked = questions.vectors.size > 0 and (weights.past_questions > 0 or weights.nearest_question > 0)
        return self.parts.has_generator and (weights.content > 0 or asked)

    def _nearness(self, text: str, words: Sequence[str]) -> LogP:
        """Return the nearness of a text to the cases at each node: those of the index and those of the base model."""
        own = self.features.law_words.cosines(words)
        if self.charge_words is None:
            return own
        known = known_nearness(self.parts, self.charge_words, text, words)
        return np.where(known > 0, (own + known) / 2 if not self.features.bm25.index.empty else known, own)

    def _generate(self, model_input: str) -> tuple[Walk, LogP]:
        """Return the generator's walk and the encoder's vector for a text as the model reads it."""
        generator, trie = self.parts.generator, self.ids.trie
        if generator.device.type == "cuda" and len(trie.internal_nodes) <= MAX_NODES:
            if self._graphed is None or self._graphed.trie is not trie:
                self._graphed = GraphedGenerator(generator, trie)
            [log_p], [found] = self._graphed.scores_and_vectors(*self.parts.encode([model_input]))
            return PrecomputedWalk(trie, log_p), found
        return generate(self.parts, model_input)


def term_scale(words: float, terms: float) -> float:
    """Return the unit of the scores of legal terms: the standard deviation of the words, as a term is worth a share of
    a word of the query; that of the terms if no document shares a word with the query."""
    return max(words or terms, MIN_SPREAD)


def walk_weights(features: QueryFeatures, weights: Weights, matters: Matters | None) -> Weights:
    """Return the weights of the walk for a text: those learnt for lay texts if it is one and they suit.

    Facts in the words of a court are judged better by the other weights however short they are: on 711 cases of several
    defendants that no model had seen, 604 of them short, the first charge is right in .771 instead of .762.
    """
    lay = weights.lay_walk and features.is_lay
    return Weights.from_row(matters.walk) if lay and matters and matters.walk else weights


def mixed_walk(ids: DocIds, features: QueryFeatures, weights: Weights) -> MixedWalk:
    """Return the walk of a text down the law, by generator and words together."""
    scores = weights.law_words * features.nearness
    if weights.matters and features.matter is not None:
        scores = scores + weights.matters * features.matter.charge_log_p(ids)
    reach = potentials(ids.trie, scores)
    return MixedWalk(features, ids.trie, reach, weights.generator)


def generate(parts: GeneratorParts, model_input: str) -> tuple[Walk, LogP]:
    """Return the generator's walk and the encoder's vector for one text.

    Each text is read alone: padding beside longer texts would change the last digits.
    """
    read = parts.generator.read_only(*parts.encode([model_input]))
    vector = parts.generator.vectors(read).detach().float().cpu().numpy()[0]
    return ModelWalk(parts.generator, parts.ids.trie, read, 0), vector


def known_nearness(parts: GeneratorParts, known: ChargeWords, text: str, words: Sequence[str]) -> LogP:
    """Return the nearness of a text to the cases that a base model was trained on, at each node."""
    # Earlier versions counted tokens of the model instead of words.
    numbers = known.numbers(words) if known.words else parts.tokens.encode([text], WHOLE)[0][0]
    return known.nearness(parts.ids, numbers)
