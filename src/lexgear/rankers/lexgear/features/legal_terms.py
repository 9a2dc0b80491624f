"""Legal terms of `lexgear`: the lexicon for its queries, and the terms that documents contain, for explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lexgear.lexical.legal_terms import LegalTerm, LegalTerms, shipped_legal_terms
from lexgear.lexical.word_index import WordIndex
from lexgear.rankers.explanation import MAX_WORDS, MatchedTerm
from lexgear.rankers.generative.generator_parts import GeneratorParts
from lexgear.rankers.lexgear.settings import LexgearSettings


def lexicon_for(parts: GeneratorParts, settings: LexgearSettings) -> LegalTerms | None:
    """Return the lexicon for questions to statutes; None for collections of cases, which are described in full."""
    cases = len(parts.ids.nodes_of("charge")) > 0
    return shipped_legal_terms(parts.inputs.lexicon.language) if settings.legal_terms and not cases else None


def matched_terms(
    index: WordIndex, terms: Sequence[LegalTerm], documents: Sequence[int]
) -> list[tuple[MatchedTerm, ...]]:
    """Return for each document (by position) the legal terms that add most to its score.

    Of a term that a document has in part, the words that it has are given.
    """
    words = list(dict.fromkeys(word for term in terms for word in term.words))
    return [_matched(terms, dict(found)) for found in index.shared(words, documents, len(words))]


def _matched(terms: Sequence[LegalTerm], weights: Mapping[str, float]) -> tuple[MatchedTerm, ...]:
    matched = [
        MatchedTerm(term.expression, term.part(weights), sum(weights.get(word, 0.0) for word in term.words))
        for term in terms
        if any(word in weights for word in term.words)
    ]
    return tuple(sorted(matched, key=lambda one: -one.weight)[:MAX_WORDS])
