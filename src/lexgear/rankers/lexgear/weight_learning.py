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
from lexgear.rankers.lexgear.law_walk import whole_law
from lexgear.rankers.lexgear.weights import Ranked, Tried
from lexgear.rationale.records import Rationale
from lexgear.search.scorer import LogP, Walk
from lexgear.training.query_split import charges_of

if TYPE_CHECKING:
    from lexgear.rankers.lexgear.ranker import Lexgear

CANDIDATES = 100
"""Of a query without a pool: as many documents beside those judged, by each part of the leaf's score."""
FEWEST = 50
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
    documents: Sequence[Document],
    progress: Progress = silent,
) -> Iterator[Tried]:
    """Judgments kept from the walk (by position), each read whole and once more told in part."""
    chance = np.random.default_rng(ranker.settings.seed)
    for done, place in enumerate(places, start=1):
        progress(done, len(places), "learning the weights")
        [facts] = ranker.inputs.masked_facts([documents[place]])
        for text in (facts, told_in_part(facts, chance)):
            yield tried(ranker, ranker.read(text), documents[place].charges)


def ranked_queries(
    ranker: Lexgear, collection: Collection, queries: Sequence[Query], progress: Progress = silent
) -> list[Ranked]:
    """Training queries with the grades of their candidates, read as if nobody had asked them before.

    A base model knows by heart what it has learnt from: queries that it does not know are enough, if there are fifty.
    Otherwise all are taken, and it is not asked about those it knows.
    """
    ranked = []
    place = {document.id: at for at, document in enumerate(collection.documents)}
    new = [query for query in queries if not ranker.knows(query.text)]
    chosen = new if len(new) >= FEWEST else queries
    for done, query in enumerate(chosen, start=1):
        progress(done, len(chosen), "learning the ranking")
        facts, labels, known = ranker.read(query.text), collection.qrels[query.id], ranker.knows(query.text)
        parts = ranker.leaf_parts(facts, wanted=not known, again=False)
        pool = {*labels, *collection.pools.get(query.id, ())}
        found = {place[name] for name in pool if name in place}
        if query.id not in collection.pools:
            found |= parts.best(CANDIDATES)
        candidates = np.array(
            sorted(found - {place[name] for name in query.own_documents if name in place}), dtype=np.int64
        )
        grades = np.array([max(labels.get(collection.documents[at].id, 0), 0) for at in candidates.tolist()])
        text = tried(ranker, facts, charges_of(collection, query), generates=not known)
        ranked.append(Ranked(text, candidates, parts.of(candidates), grades, known=known))
    return ranked


def tried(ranker: Lexgear, facts: Facts, charges: Sequence[str], *, generates: bool = True) -> Tried:
    """What the generator, if it is asked, and the words say of a text, and which charges apply to it."""
    names = [ranker.ids.node_name(node).rsplit("/", 1)[-1] for node in ranker.charge_nodes().tolist()]
    applies = np.array([name in charges for name in names], dtype=bool)
    trie = ranker.ids.trie
    asked = generates and ranker.walks
    generated = whole_law(trie, facts) if asked else np.where(trie.leaf_mask, np.nan, 0.0)
    return Tried(generated, facts.nearness, applies)


def told_in_part(text: str, chance: np.random.Generator) -> str:
    """Some clauses of a text, as somebody tells it who knows less than a court.

    Weights learnt on whole judgments alone are too sure of anything else: asked for facts of CAIL2018, an index of the
    sample then had a calibration error of .29; with both it has .03, and less on whole texts too.
    """
    clauses = _CLAUSE.findall(text)
    return "".join(clause for clause in clauses if chance.random() < TOLD) or "".join(clauses[:1])
