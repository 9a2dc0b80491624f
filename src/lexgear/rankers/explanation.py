"""Why a document was found: its ways down the law with the probability of each step, and what gave the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lexgear.docids.ids import DocIds
from lexgear.docids.trie import Trie
from lexgear.lexical.sparse import SparseWeights
from lexgear.rationale.records import Part, Rationale
from lexgear.search.scorer import Ints, LogP, Walk

MOST_WORDS = 5
"""Words of the query that are named."""


class Step(NamedTuple):
    """One step of an ID."""

    place: str
    """The id of a law node; at the end of an ID that is generated whole, the document's."""
    probability: float
    """Given the step before."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Reasons for a hit; `charge`, `content`, `words` and `past_questions` add up to its score."""

    charge: float
    """What the probability of its charges gave."""
    content: float
    """What the model's own likeness to the query gave."""
    words: float
    """What the words it shares with the query gave."""
    paths: tuple[tuple[Step, ...], ...] = ()
    """Each of its IDs, step by step."""
    shared: tuple[tuple[str, float], ...] = ()
    """The words of the query that weigh most in it, with their weights before any scaling."""
    rationale: tuple[Part, ...] = ()
    """The parts of the query that speak for its charges."""
    past_questions: float = 0.0
    """Contribution of the training queries that it answered."""

    def to_row(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "charge": round(self.charge, 5),
            "content": round(self.content, 5),
            "words": round(self.words, 5),
            "past_questions": round(self.past_questions, 5),
            "paths": [[{"place": at, "probability": round(p, 6)} for at, p in path] for path in self.paths],
            "shared": [{"word": word, "weight": round(weight, 4)} for word, weight in self.shared],
            "rationale": [part._asdict() for part in self.rationale],
        }


def reached(trie: Trie, walk: Walk, log_p: LogP, nodes: Ints) -> LogP:
    """log P of every node, these nodes among them: what a search had no need to know of them is asked for now."""
    log_p = log_p.copy()
    while len(hidden := nodes[np.isnan(log_p[nodes])]):
        while len(deeper := np.flatnonzero(np.isnan(log_p[trie.parent[hidden]]))):
            hidden[deeper] = trie.parent[hidden[deeper]]
        parents = np.unique(trie.parent[hidden]).tolist()
        for node, steps in zip(parents, walk.expand(parents), strict=True):
            below = trie.children(node)
            log_p[below.start : below.stop] = log_p[node] + steps
    return log_p


def paths(ids: DocIds, log_p: LogP, ends: Iterable[int]) -> tuple[tuple[Step, ...], ...]:
    """The steps down to each of these nodes, given log P of them and of the nodes above."""
    trie = ids.trie
    return tuple(
        tuple(
            Step(ids.node_name(node), float(np.exp(log_p[node] - log_p[trie.parent[node]])))
            for node in trie.ancestry(int(end))
        )
        for end in ends
    )


def speaking_for(rationale: Rationale, charges: Collection[str]) -> tuple[Part, ...]:
    """The parts that f_R picked for one of these charges, sentences first, the strongest before."""
    parts = [*sorted(rationale.sentences, key=lambda part: -part.score), *rationale.words]
    return tuple(part for part in parts if part.charge in charges)


def shared_words(weights: SparseWeights, words: Sequence[str], document: int) -> tuple[tuple[str, float], ...]:
    """The words that add most to the score of a document (by position), heaviest first."""
    found = []
    for word, times in Counter(words).items():
        if (number := weights.words.get(word)) is not None:
            column = slice(int(weights.starts[number]), int(weights.starts[number + 1]))
            here = np.flatnonzero(weights.documents[column] == document)
            if len(here):
                found.append((word, times * float(weights.weights[column][here[0]])))
    return tuple(sorted(found, key=lambda pair: -pair[1])[:MOST_WORDS])


def charges_above(ids: DocIds, nodes: Iterable[int]) -> frozenset[str]:
    """The names of the charges on the way to these nodes."""
    return frozenset(
        ids.node_name(node).rsplit("/", 1)[-1]
        for end in nodes
        for node in ids.trie.ancestry(int(end))
        if ids.node_kind(node) == "charge"
    )


def generated(
    ids: DocIds, walk: Walk, log_p: LogP, hits: Sequence[tuple[int, float]], rationale: Rationale
) -> list[Explanation]:
    """Documents whose score is log Σ P(ID): their charges gave log Σ P(charge), the rest is P(document | charge)."""
    trie = ids.trie
    leaves = [trie.leaves_of(position) for position, _ in hits]
    log_p = reached(trie, walk, log_p, np.concatenate([np.empty(0, dtype=np.int32), *leaves]))
    explanations = []
    for (_, score), own in zip(hits, leaves, strict=True):
        charge = float(np.logaddexp.reduce(log_p[trie.parent[own]]))
        parts = speaking_for(rationale, charges_above(ids, own.tolist()))
        explanations.append(
            Explanation(charge, score - charge, 0.0, paths=paths(ids, log_p, own.tolist()), rationale=parts)
        )
    return explanations
