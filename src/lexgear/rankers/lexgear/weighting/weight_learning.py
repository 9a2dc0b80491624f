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
"""Candidates by each leaf score, besides those judged, of a query without a pool."""
MIN_NEW_QUERIES = 50
"""Queries unknown to the base model from which the known ones are left out."""
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


def labelled_queries(
    ranker: Lexgear, collection: Collection, queries: Sequence[Query], progress: Progress = silent
) -> list[LabelledQuery]:
    """Return training queries with the grades of their candidates, read as if they were new.

    The base model is overconfident on texts it was trained on: if at least fifty queries are new to it, only these are
    used. Otherwise all are used, and the generator is left out for those it knows. Queries with incomplete labels would
    teach that relevant documents are not, and are never used.
    """
    queries = [query for query in queries if not query.incomplete_labels]
    labelled = []
    positions = {document.id: at for at, document in enumerate(collection.documents)}
    new = [query for query in queries if not ranker.knows(query.text)]
    chosen = new if len(new) >= MIN_NEW_QUERIES else queries
    for done, query in enumerate(chosen, start=1):
        progress(done, len(chosen), "learning the ranking")
        features, labels = ranker.inference.read(query.text), collection.qrels[query.id]
        known = ranker.knows(query.text)
        leaves = ranker.inference.leaf_scores(features, vectors=not known, include_same=False)
        pool = {*labels, *collection.pools.get(query.id, ())}
        found = {positions[name] for name in pool if name in positions}
        if query.id not in collection.pools:
            found |= leaves.best(CANDIDATES)
        own = {positions[name] for name in query.own_documents if name in positions}
        candidates = np.array(sorted(found - own), dtype=np.int64)
        grades = np.array([max(labels.get(collection.documents[at].id, 0), 0) for at in candidates.tolist()])
        text = labelled_text(ranker, features, charges_of(collection, query), generates=not known)
        labelled.append(LabelledQuery(text, candidates, leaves.of(candidates), grades, known=known))
    return labelled


def labelled_text(
    ranker: Lexgear, features: QueryFeatures, charges: Sequence[str], *, generates: bool = True
) -> LabelledText:
    """Return a text with the charges that apply to it, scored by words and, if `generates`, by the generator."""
    ids = ranker.parts.ids
    names = [ids.node_name(node).rsplit("/", 1)[-1] for node in ranker.inference.charge_nodes().tolist()]
    applies = np.array([name in charges for name in names], dtype=bool)
    if generates and ranker.generator_knows_law:
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
