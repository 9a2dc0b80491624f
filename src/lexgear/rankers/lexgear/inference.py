"""How `lexgear` answers: one reading of the text, one walk down the law, leaves that words and vectors weigh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Query
from lexgear.lexical.words import segmenter
from lexgear.model.generator.cuda_graph import MAX_NODES, GraphedGenerator, PrecomputedWalk
from lexgear.model.generator.walk import ModelWalk
from lexgear.pretraining.charge_words import WHOLE, ChargeWords
from lexgear.progress import Progress, silent
from lexgear.rankers.base import EVERYTHING, ScoredId
from lexgear.rankers.explanation import Explanation, paths, reached, shared_words
from lexgear.rankers.generative.generator_ranker import GeneratorRanker
from lexgear.rankers.lexgear.concepts import Concepts
from lexgear.rankers.lexgear.document_features import Shelf
from lexgear.rankers.lexgear.evidence import Evidence
from lexgear.rankers.lexgear.law_centroids import potentials
from lexgear.rankers.lexgear.law_walk import MixedWalk, whole_law
from lexgear.rankers.lexgear.weight_learning import Facts
from lexgear.rankers.lexgear.weights import LeafParts, Mixture
from lexgear.rankers.scope import Scope
from lexgear.search.exact import best_hybrid
from lexgear.search.scorer import DECIMALS, LogP, Result, Walk

FEWEST_WORDS = 4
"""Below which a text says too little to be judged, or has too little that the index knows."""
FAMILIAR = 0.04
"""How near a text must come to the nearest charge. The first 200 characters of facts from CAIL2018 (300 cases) do so in
95% of the cases on an index of the sample, in all on one of LeCaRD. Of 28 texts about other things (recipes, weather,
letters, contracts) 21 and 15 do not; of the rest all but one and two are left without a charge by their probability."""


LEAST_SPREAD = 1e-3
"""Cosines of different texts spread over .05 and more, those of documents without any over 1e-8."""


class HybridRanker(GeneratorRanker):
    """Ranks and judges by what it has learnt, its weights, and what stands on its shelf."""

    mixture: Mixture
    concepts: Concepts
    charge_words: ChargeWords | None = None
    """What the base model that it started from has read of each charge."""
    shelf: Shelf
    """What follows from the documents, given all the rest."""
    _graphed: GraphedGenerator | None = None

    def search(
        self, queries: Sequence[Query], k: int, scope: Scope = EVERYTHING, progress: Progress = silent
    ) -> list[list[ScoredId]]:
        """The best documents by charges, words and content together; ties go by document id."""
        results: list[list[ScoredId]] = []
        for query in queries:
            facts = self.read(query.text)
            found = self._found(query, facts, self.leaf_parts(facts, wanted=self.mixture.content > 0), k, scope).hits
            results.append([ScoredId(self._names[place], score) for place, score in found])
            progress(len(results), len(queries))
        return results

    def explained(self, query: Query, k: int, scope: Scope = EVERYTHING) -> list[tuple[ScoredId, Explanation | None]]:
        """The hits with the way to each of their charges, and what charges, content and words gave."""
        facts, trie = self.read(query.text), self.ids.trie
        parts = self.leaf_parts(facts, wanted=self.mixture.content > 0)
        result = self._found(query, facts, parts, k, scope)
        ends = [trie.parent[trie.leaves_of(place)] for place, _ in result.hits]
        log_p = reached(trie, self.walk(facts), result.log_p, np.concatenate([np.empty(0, dtype=np.int32), *ends]))
        evidence = self.evidence(facts)
        explained: list[tuple[ScoredId, Explanation | None]] = []
        for (place, score), above in zip(result.hits, ends, strict=True):
            why = Explanation(
                charge=self._charge_part(log_p[above]) + self.mixture.alone * float(parts.alone[place]),
                content=float(self.mixture.content * parts.content[place])
                + float(self.mixture.concepts * parts.concepts[place]),
                words=float(parts.words[place]),
                asked=float(self.mixture.asked * parts.asked[place] + self.mixture.nearest * parts.nearest[place]),
                paths=paths(self.ids, log_p, above.tolist()),
                shared=shared_words(self.shelf.bm25.weights, facts.words, place),
                rationale=evidence.nearest([end for end in above.tolist() if self.ids.node_kind(end) == "charge"]),
            )
            explained.append((ScoredId(self._names[place], score), why))
        return explained

    def read(self, text: str) -> Facts:
        """Reads a text, once for whatever is asked of it then."""
        rationale, words = self.inputs.rationale(text), segmenter(self.inputs.lexicon.language)(text)
        shown = self.inputs.of_query(text, rationale)
        return Facts(words, rationale, self._nearness(text, words), lambda: self._asked(shown))

    def _nearness(self, text: str, words: Sequence[str]) -> LogP:
        """How near a text comes to the cases at each node: those of the index and those the base model has read."""
        own = self.shelf.law_words.cosines(words)
        if self.charge_words is None:
            return own
        known = self._known_near(self.charge_words, text)
        return np.where(known > 0, (own + known) / 2 if self.shelf.bm25.counts.words else known, own)

    def _known_near(self, known: ChargeWords, text: str) -> LogP:
        """How near it comes to what the base model has read."""
        [numbers], _ = self.tokens.encode([text], WHOLE)
        return known.nearness(self.ids, numbers)

    def _asked(self, shown: str) -> tuple[Walk, LogP]:
        """What the generator makes of a text; alone, since padding beside longer ones would move the last digits."""
        numbers, mask = self.tokens.encode([shown], self.settings.tokens)
        if self.generator.device.type == "cuda" and len(self.ids.trie.internal_nodes) <= MAX_NODES:
            if self._graphed is None or self._graphed.trie is not self.ids.trie:
                self._graphed = GraphedGenerator(self.generator, self.ids.trie)
            [log_p], [found] = self._graphed.scores_and_vectors(numbers, mask)
            return PrecomputedWalk(self.ids.trie, log_p), found
        read = self.generator.read_only(numbers, mask)
        vector = self.generator.vectors(read).detach().float().cpu().numpy()[0]
        return ModelWalk(self.generator, self.ids.trie, read, 0), vector

    def walk(self, facts: Facts) -> MixedWalk:
        """The way of a text down the law, by generator and words together."""
        reach = potentials(self.ids.trie, facts.nearness, self.mixture.law_words)
        return MixedWalk(facts, self.ids.trie, reach, self.mixture.generator)

    def shares(self, facts: Facts) -> LogP:
        """log P of every law node of the trie; NaN for documents."""
        return whole_law(self.ids.trie, self.walk(facts))

    def evidence(self, facts: Facts) -> Evidence:
        """Which sentences of the rationale speak for which charge."""
        cut, sentences = segmenter(self.inputs.lexicon.language), facts.rationale.sentences
        cosines = [self.shelf.law_words.cosines(cut(part.text)) for part in sentences]
        nearness = np.array(cosines).reshape(len(sentences), self.ids.trie.node_count)
        return Evidence(self.ids, sentences, lambda nodes: nearness[:, list(nodes)])

    def familiar(self, text: str, facts: Facts) -> bool:
        """Whether a text comes near enough to some charge; words that no case knows count against it."""
        known = self.shelf.law_words.weights.known(facts.words)
        return len(known) >= FEWEST_WORDS and self.shelf.law_words.familiarity(facts.words) >= FAMILIAR

    def leaf_parts(self, facts: Facts, *, wanted: bool = True, again: bool = True) -> LeafParts:
        """What speaks for each document beside its charges; the content only where it is wanted.

        A query asked before finds its answers, unless `again` says that it must not.
        """
        words = self.shelf.bm25.weights.sums(self.shelf.bm25.weights.known(facts.words)).astype(np.float64)
        likeness = np.zeros(len(words))
        if self.generates and wanted:
            likeness = (self.shelf.vectors @ facts.vector).astype(np.float64)
        about = self.concepts.likeness(self.shelf.concepts, facts.words)
        return LeafParts(
            _in_spreads(words),
            _in_spreads(likeness),
            _in_spreads(about),
            *self.shelf.asked.scores(facts.words, again=again),
            -np.log(np.bincount(self.ids.trie.document[self.ids.trie.leaf_mask], minlength=len(words))),
        )

    def charge_nodes(self) -> NDArray[np.int64]:
        """The trie nodes of charges, whether any document hangs there or not."""
        return self.ids.nodes_of("charge").astype(np.int64)

    def _found(self, query: Query, facts: Facts, parts: LeafParts, k: int, scope: Scope) -> Result:
        """w · (log Σ P + s / w): what the search sums is P times e^(s / w), an ID at a time."""
        w, leaves = self.mixture.charge, parts.mixed(self.mixture)
        leaves = np.where(self._allowed(query, parts.words, scope), leaves / w, -np.inf)
        found = best_hybrid(self.ids.trie, self.walk(facts), k, 1.0, leaves, tie_order=self._tie_order)
        return replace(found, hits=[(place, round(w * score, DECIMALS)) for place, score in found.hits])

    def _allowed(self, query: Query, words: LogP, scope: Scope) -> NDArray[np.bool_]:
        """Which documents may answer; none where the text shares no word with any, though they have words."""
        only, left_out = scope.allowed(query), scope.left_out(query)
        permitted = [(only is None or name in only) and name not in left_out for name in self._names]
        return np.array(permitted, dtype=bool) & (words.any() or not self.shelf.bm25.weights.words)

    def _charge_part(self, log_p: LogP) -> float:
        """What the charges of a document give to its score, from log P of each."""
        return self.mixture.charge * float(np.logaddexp.reduce(log_p))


def _in_spreads(values: LogP) -> LogP:
    """In units of their spread; what is the same for all documents but for rounding stays as small as it is."""
    return np.asarray(values / max(float(values.std()), LEAST_SPREAD))
