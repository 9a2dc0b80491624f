"""Explanations of the hits of `lexgear`: paths, shared words and terms, rationale, and the parts of the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lexgear.rankers.base import ScoredId
from lexgear.rankers.explanation import MAX_WORDS, Explanation, extend_log_p, id_paths
from lexgear.rankers.lexgear.best_documents import FoundDocuments
from lexgear.rankers.lexgear.features.legal_terms import matched_terms
from lexgear.rankers.lexgear.features.query_features import QueryFeatures

if TYPE_CHECKING:
    from lexgear.rankers.lexgear.ranker import Lexgear


def explained_hits(
    ranker: Lexgear, features: QueryFeatures, found: FoundDocuments
) -> list[tuple[ScoredId, Explanation | None]]:
    """Return the hits of a query, each with its explanation."""
    inference, ids = ranker.inference, ranker.parts.ids
    trie, sets, index = ids.trie, inference.features.places.of_document, inference.features.bm25.index
    positions = [position for position, _ in found.hits]
    ends = [trie.parent[trie.leaves_of(int(sets[position]))] for position in positions]
    everywhere = np.concatenate([np.empty(0, dtype=np.int32), *ends])
    log_p = extend_log_p(trie, inference.walk(features), found.log_p, everywhere)
    evidence = inference.evidence(features)
    shared = index.shared(features.words, positions, MAX_WORDS)
    terms = matched_terms(index, features.legal_terms, positions)
    explained: list[tuple[ScoredId, Explanation | None]] = []
    for at, ((position, score), above, words) in enumerate(zip(found.hits, ends, shared, strict=True)):
        charges = [end for end in above.tolist() if ids.node_kind(end) == "charge"]
        explanation = Explanation(
            charge=ranker.charge_score(log_p[above]),
            **found.leaves.contributions(inference.weights, at),
            paths=id_paths(ids, log_p, above.tolist()),
            shared=words,
            rationale=evidence.nearest(charges),
            terms=terms[at],
        )
        explained.append((ScoredId(ranker.documents[position], score), explanation))
    return explained
