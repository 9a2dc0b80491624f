"""Explanations of hits: paths down the law with the probability of each step, and the parts of the score."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from lexgear.docids.ids import DocIds
from lexgear.docids.trie import Trie
from lexgear.privacy.masking import Masked
from lexgear.rationale.records import Part, Rationale, parts_in_original
from lexgear.search.scorer import Ints, LogP, Walk

MAX_WORDS = 5
"""Shared words listed in an explanation."""


class Step(NamedTuple):
    """One step of an ID."""

    place: str
    """The id of a law node; for the last step of an ID whose leaf is generated too, that of the document."""
    probability: float
    """Conditional probability given the step before."""


class MatchedTerm(NamedTuple):
    """A legal term in the document for an everyday expression of the query."""

    expression: str
    term: str
    """The words of the term that the document has; the whole term if it has all of them."""
    weight: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Reasons for a hit; `charge`, `content`, `words`, `past_questions` and `legal_terms` add up to its score."""

    charge: float
    """Contribution of the probability of its charges."""
    content: float
    """Contribution of the model's similarity between document and query."""
    words: float
    """Contribution of the words it shares with the query."""
    paths: tuple[tuple[Step, ...], ...] = ()
    """The steps of each of its IDs."""
    shared: tuple[tuple[str, float], ...] = ()
    """The shared words with the highest weights in the document; weights are not scaled."""
    rationale: tuple[Part, ...] = ()
    """The parts of the query that support its charges."""
    past_questions: float = 0.0
    """Contribution of the training queries that it answered."""
    legal_terms: float = 0.0
    """Contribution of the legal terms for everyday expressions of the query."""
    terms: tuple[MatchedTerm, ...] = ()
    """The legal terms with the highest weights in the document; weights are not scaled."""

    def in_original(self, neutral: Masked, text: str) -> Explanation:
        """Return the explanation for a neutral query with the offsets and the wording of the original query."""
        return replace(self, rationale=parts_in_original(self.rationale, neutral, text))

    def to_row(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "charge": round(self.charge, 5),
            "content": round(self.content, 5),
            "words": round(self.words, 5),
            "past_questions": round(self.past_questions, 5),
            "legal_terms": round(self.legal_terms, 5),
            "paths": [[{"place": place, "probability": round(p, 6)} for place, p in path] for path in self.paths],
            "shared": [{"word": word, "weight": round(weight, 4)} for word, weight in self.shared],
            "terms": [one._replace(weight=round(one.weight, 4))._asdict() for one in self.terms],
            "rationale": [part._asdict() for part in self.rationale],
        }


def extend_log_p(trie: Trie, walk: Walk, log_p: LogP, nodes: Ints) -> LogP:
    """Return log P with the values of these nodes filled in; the walk expands the nodes that the search pruned."""
    log_p = log_p.copy()
    while len(missing := nodes[np.isnan(log_p[nodes])]):
        while len(deeper := np.flatnonzero(np.isnan(log_p[trie.parent[missing]]))):
            missing[deeper] = trie.parent[missing[deeper]]
        parents = np.unique(trie.parent[missing]).tolist()
        for node, steps in zip(parents, walk.expand(parents), strict=True):
            below = trie.children(node)
            log_p[below.start : below.stop] = log_p[node] + steps
    return log_p


def id_paths(ids: DocIds, log_p: LogP, ends: Iterable[int]) -> tuple[tuple[Step, ...], ...]:
    """Return the steps down to each of these nodes, given log P of them and of the nodes above."""
    trie = ids.trie
    return tuple(
        tuple(
            Step(ids.node_name(node), float(np.exp(log_p[node] - log_p[trie.parent[node]])))
            for node in trie.ancestry(int(end))
        )
        for end in ends
    )


def parts_for_charges(rationale: Rationale, charges: Collection[str]) -> tuple[Part, ...]:
    """Return the parts that f_R extracted for one of these charges: sentences by score, then words."""
    parts = [*sorted(rationale.sentences, key=lambda part: -part.score), *rationale.words]
    return tuple(part for part in parts if part.charge in charges)


def charges_above(ids: DocIds, nodes: Iterable[int]) -> frozenset[str]:
    """Return the names of the charges on the paths to these nodes."""
    return frozenset(
        ids.node_name(node).rsplit("/", 1)[-1]
        for end in nodes
        for node in ids.trie.ancestry(int(end))
        if ids.node_kind(node) == "charge"
    )


def explain_generated(
    ids: DocIds, walk: Walk, log_p: LogP, hits: Sequence[tuple[int, float]], rationale: Rationale
) -> list[Explanation]:
    """Explain documents whose score is log Σ P(ID): log Σ P(charge), and P(document | charge) for the rest."""
    trie = ids.trie
    leaves = [trie.leaves_of(position) for position, _ in hits]
    log_p = extend_log_p(trie, walk, log_p, np.concatenate([np.empty(0, dtype=np.int32), *leaves]))
    explanations = []
    for (_, score), own in zip(hits, leaves, strict=True):
        charge = float(np.logaddexp.reduce(log_p[trie.parent[own]]))
        parts = parts_for_charges(rationale, charges_above(ids, own.tolist()))
        explanations.append(
            Explanation(charge, score - charge, 0.0, paths=id_paths(ids, log_p, own.tolist()), rationale=parts)
        )
    return explanations
