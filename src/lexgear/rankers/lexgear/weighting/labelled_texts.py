"""Texts and queries with labels, as the weights of `lexgear` are learnt from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.document_files import ids_of
from lexgear.corpus.records import Collection, Document, Query
from lexgear.docids.trie import Trie
from lexgear.progress import Progress, silent
from lexgear.rankers.lexgear.features.law_centroids import potentials
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.law_walk import mixed_law
from lexgear.rankers.lexgear.weighting.weights import LeafScores, Weights
from lexgear.search.scorer import Ints, LogP
from lexgear.search.whole_law import whole_law
from lexgear.training.query_split import charges_of

if TYPE_CHECKING:
    from lexgear.rankers.lexgear.ranker import Lexgear

CANDIDATES = 100
"""Documents of the corpus by each leaf score that a query ranks, besides those judged."""
PARTIAL_SHARE = 1 / 3
"""Share of a judgment's clauses in its second, partial reading."""
_CLAUSE = re.compile(r"[^，。；！？,;.!?\n]+[，。；！？,;.!?\n]*")


@dataclass(frozen=True)
class LabelledText:
    """A text with known charges, as needed to evaluate weights of the walk on it."""

    generated: LogP
    """log P of every law node by the generator alone."""
    nearness: LogP
    """Nearness of the text to the cases at each node."""
    applies: NDArray[np.bool_]
    """For every charge node, True if the charge applies."""
    classified: LogP | None = None
    """log P of the charge at each node by the classifier of matters, if there is one."""

    def log_p(self, trie: Trie, weights: Weights) -> LogP:
        """Return log P of every law node by generator and words together."""
        scores = weights.law_words * self.nearness
        if weights.matters and self.classified is not None:
            scores = scores + weights.matters * self.classified
        return mixed_law(trie, self.generated, potentials(trie, scores), weights.generator)


@dataclass(frozen=True)
class LabelledQuery:
    """A query with graded candidates, as needed to learn the weights of the ranking score."""

    text: LabelledText
    candidates: Ints
    """Positions of the documents to rank."""
    sets: Ints
    """Set of places of each candidate, a target of the trie."""
    leaves: LeafScores
    """Leaf scores of the candidates."""
    grades: Ints
    lists: tuple[Ints, ...]
    """Lists of candidates to be ranked, each on its own: the first of the corpus and, if there is one, the pool."""


def held_out_texts(
    ranker: Lexgear,
    positions: Sequence[int],
    documents: Sequence[Document],
    progress: Progress = silent,
) -> Iterator[LabelledText]:
    """Yield held-out judgments, given by position, each read whole and once more in part."""
    rng = np.random.default_rng(ranker.settings.training.seed)
    for done, position in enumerate(positions, start=1):
        progress(done, len(positions), "learning the weights")
        [facts] = ranker.parts.inputs.masked_facts([documents[position]])
        for text in (facts, partial_text(facts, rng)):
            yield labelled_text(ranker, ranker.inference.read(text), documents[position].charges)


def teaching_queries(ranker: Lexgear, queries: Sequence[Query]) -> list[Query]:
    """Return the queries that weights may be learnt from.

    The vectors of a base model look too good on queries it was trained on. Queries with incomplete labels would teach
    that relevant documents are not.
    """
    return [query for query in queries if not query.incomplete_labels and not ranker.knows(query.text)]


def labelled_queries(
    ranker: Lexgear, collection: Collection, queries: Sequence[Query], progress: Progress = silent
) -> list[LabelledQuery]:
    """Return training queries with the grades of their candidates, read as if they were new.

    A query ranks the first documents of the corpus by each leaf score, together with the relevant ones, and once more
    its pool, if it has one: weights learnt from pools alone rank the corpus worse.
    """
    labelled = []
    positions = {name: at for at, name in enumerate(ids_of(collection.documents))}
    for done, query in enumerate(queries, start=1):
        progress(done, len(queries), "learning the ranking")
        features = ranker.inference.read(query.text)
        leaves = ranker.inference.leaf_scores(features, include_same=False)
        grades = {positions[name]: max(grade, 0) for name, grade in collection.qrels[query.id].items()}
        own = {positions[name] for name in query.own_documents if name in positions}
        pool = {positions[name] for name in collection.pools.get(query.id, ()) if name in positions}
        judged = pool and {*pool, *grades}
        corpus = leaves.best(CANDIDATES) | {at for at, grade in grades.items() if grade or not pool}
        candidates = np.array(sorted((corpus | judged) - own), dtype=np.int64)
        lists = [np.flatnonzero(np.isin(candidates, list(some))) for some in (corpus, judged) if some]
        text = labelled_text(ranker, features, charges_of(collection, query))
        graded = np.array([grades.get(at, 0) for at in candidates.tolist()], dtype=np.int64)
        sets = ranker.inference.features.places.of_document[candidates]
        labelled.append(LabelledQuery(text, candidates, sets, leaves.of(candidates), graded, tuple(lists)))
    return labelled


def labelled_text(ranker: Lexgear, features: QueryFeatures, charges: Sequence[str]) -> LabelledText:
    """Return a text with the charges that apply to it, scored by words and by the generator, if it knows the law."""
    ids = ranker.parts.ids
    names = [ids.node_name(node).rsplit("/", 1)[-1] for node in ranker.inference.charge_nodes().tolist()]
    applies = np.array([name in charges for name in names], dtype=bool)
    if ranker.generator_knows_law:
        generated = whole_law(ids.trie, features)
    else:
        generated = np.where(ids.trie.leaf_mask, np.nan, 0.0)
    return LabelledText(generated, features.nearness, applies)


def partial_text(text: str, rng: np.random.Generator) -> str:
    """Return a random third of the clauses of a text, like a description by someone who knows less than a court.

    Weights learnt on whole judgments alone are overconfident elsewhere: on facts of CAIL2018, an index of the sample
    then had a calibration error of .29; with both it has .03, and less on whole texts too.
    """
    clauses = _CLAUSE.findall(text)
    return "".join(clause for clause in clauses if rng.random() < PARTIAL_SHARE) or "".join(clauses[:1])
