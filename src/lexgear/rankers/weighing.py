"""What the weights of `lexgear` are learnt on: texts with known charges, read as they will be when somebody asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from lexgear.corpus.records import Collection, Document, Query
from lexgear.progress import Progress, silent
from lexgear.rankers.law_walk import whole_law
from lexgear.rankers.mixture import Ranked, Tried
from lexgear.rationale.records import Rationale
from lexgear.search.scorer import LogP, Walk

if TYPE_CHECKING:
    from lexgear.rankers.lexgear import Lexgear

TOLD = 1 / 3
"""Share of a judgment's clauses in its second reading, see `told_in_part`."""
_CLAUSE = re.compile(r"[^，。；！？,;.!?\n]+[，。；！？,;.!?\n]*")


@dataclass(frozen=True)
class Facts:
    """A text as `lexgear` has read it; the generator reads it when it is first asked, if ever."""

    words: Sequence[str]
    rationale: Rationale
    nearness: LogP
    """Of its words to the cases at each node of the trie."""
    ask: Callable[[], tuple[Walk, LogP]]

    def expand(self, nodes: Sequence[int]) -> list[LogP]:
        """The generator's own steps down the law."""
        return self._generated[0].expand(nodes)

    @property
    def vector(self) -> LogP:
        """What the encoder makes of it."""
        return self._generated[1]

    @cached_property
    def _generated(self) -> tuple[Walk, LogP]:
        return self.ask()


def judged_texts(
    ranker: Lexgear,
    places: Sequence[int],
    facts: Sequence[str],
    documents: Sequence[Document],
    progress: Progress = silent,
) -> Iterator[Tried]:
    """Judgments kept from the walk (by position), each read whole and once more told in part."""
    chance = np.random.default_rng(ranker.settings.seed)
    for done, place in enumerate(places, start=1):
        progress(done, len(places), "learning the weights")
        for text in (facts[place], told_in_part(facts[place], chance)):
            yield tried(ranker, ranker.read(text), documents[place].charges)


def ranked_queries(ranker: Lexgear, collection: Collection, queries: Sequence[Query]) -> list[Ranked]:
    """Queries held out from the generator, with the grades of all documents."""
    ranked = []
    for query in queries:
        facts, grades = ranker.read(query.text), collection.qrels[query.id]
        by_position = np.array([max(grades.get(document.id, 0), 0) for document in collection.documents])
        ranked.append(Ranked(tried(ranker, facts, query.charges), ranker.leaf_parts(facts), by_position))
    return ranked


def tried(ranker: Lexgear, facts: Facts, charges: Sequence[str]) -> Tried:
    """What the generator and the words say of a text, and which charges apply to it."""
    names = [ranker.ids.node_name(node).rsplit("/", 1)[-1] for node in ranker.charge_nodes().tolist()]
    applies = np.array([name in charges for name in names], dtype=bool)
    trie = ranker.ids.trie
    generated = whole_law(trie, facts) if ranker.generates else np.where(trie.leaf_mask, np.nan, 0.0)
    return Tried(generated, facts.nearness, applies)


def told_in_part(text: str, chance: np.random.Generator) -> str:
    """Some clauses of a text, as somebody tells it who knows less than a court.

    Weights learnt on whole judgments alone are too sure of anything else: asked for facts of CAIL2018, an index of the
    sample then had a calibration error of .29; with both it has .03, and less on whole texts too.
    """
    clauses = _CLAUSE.findall(text)
    return "".join(clause for clause in clauses if chance.random() < TOLD) or "".join(clauses[:1])
