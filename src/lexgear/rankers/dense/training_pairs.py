"""Training data of a bi-encoder: documents, judgments as queries for themselves, labelled queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.records import Collection, Query
from lexgear.progress import Progress, silent
from lexgear.rankers.inputs import Inputs
from lexgear.training.examples import Examples
from lexgear.training.objectives.contrastive import Pairs
from lexgear.training.query_split import relevant, trainable_judgments

Encode = Callable[[Sequence[str]], tuple[NDArray[Any], NDArray[np.bool_]]]
"""Function from texts to token numbers and their mask."""


def document_texts(collection: Collection, progress: Progress = silent) -> list[str]:
    """Return facts and reasoning of every judgment; an article comes with the titles above it."""
    return _inputs(collection).of_documents(collection.documents, collection.law, progress)


def document_examples(texts: Sequence[str], encode: Encode) -> Examples:
    """Return the documents as examples, by position."""
    return Examples(*encode(texts), [np.array([position]) for position in range(len(texts))])


def judgment_pairs(collection: Collection, encode: Encode, *, weak: bool) -> Pairs:
    """Return the facts of every judgment that may be learnt from, charge names masked, paired with the judgment.

    With `weak` they are also paired with the other judgments that have exactly its charges.
    """
    documents, chosen = collection.documents, trainable_judgments(collection)
    alike: dict[frozenset[str], list[int]] = {}
    for position, document in enumerate(documents):
        if document.charges:
            alike.setdefault(frozenset(document.charges), []).append(position)
    texts = _inputs(collection).of_judgments_as_queries([documents[position] for position in chosen])
    others = [
        np.array(alike.get(frozenset(documents[position].charges), []) if weak else [], np.int64) for position in chosen
    ]
    # The judgment itself is drawn as often as all others together: facts matter besides charges.
    positives = [
        np.append(some, np.full(max(len(some), 1), position)) for position, some in zip(chosen, others, strict=True)
    ]
    return Pairs(Examples(*encode(texts), positives), positives)


def query_pairs(collection: Collection, queries: Sequence[Query], encode: Encode) -> Pairs:
    """Return labelled queries with their relevant documents; their own judgments are not used as negatives."""
    positions = {document.id: position for position, document in enumerate(collection.documents)}
    positives = [np.array([positions[name] for name in relevant(collection, query)]) for query in queries]
    own = [[positions[name] for name in query.own_documents if name in positions] for query in queries]
    excluded = [np.append(found, drawn_from).astype(np.int64) for found, drawn_from in zip(positives, own, strict=True)]
    return Pairs(Examples(*encode([query.text for query in queries]), positives), excluded)


def _inputs(collection: Collection) -> Inputs:
    """Return inputs that read statutes with their titles and judgments with their reasoning."""
    statutes = all(document.node in collection.law for document in collection.documents)
    return Inputs.of(collection, plain=statutes)
