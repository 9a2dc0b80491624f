"""Data that the weights of `lexgear` are learnt on: texts with known charges, read as queries are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lexgear.corpus.records import Collection, Document, Query
from lexgear.progress import Progress, silent
from lexgear.rankers.lexgear.features.query_features import QueryFeatures
from lexgear.rankers.lexgear.weighting.weights import LabelledQuery, LabelledText
from lexgear.search.whole_law import whole_law
from lexgear.training.query_split import charges_of

if TYPE_CHECKING:
    from lexgear.rankers.lexgear.ranker import Lexgear

CANDIDATES = 100
"""Documents of the corpus by each leaf score that a query ranks, besides those judged."""
PARTIAL_SHARE = 1 / 3
"""Share of a judgment's clauses in its second, partial reading."""
_CLAUSE = re.compile(r"[^，。；！？,;.!?\n]+[，。；！？,;.!?\n]*")


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
    positions = {document.id: at for at, document in enumerate(collection.documents)}
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
