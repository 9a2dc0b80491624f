"""What a bi-encoder reads and learns from: documents, judgments as queries for themselves, labelled queries."""

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
"""Texts to token numbers, and which of them count."""


def document_texts(collection: Collection, progress: Progress = silent) -> list[str]:
    """Facts and reasoning of every judgment; an article stands under the titles above it."""
    return _inputs(collection).of_documents(collection.documents, collection.law, progress)


def document_examples(texts: Sequence[str], encode: Encode) -> Examples:
    """The documents by position."""
    return Examples(*encode(texts), [np.array([place]) for place in range(len(texts))])


def judgment_pairs(collection: Collection, encode: Encode, *, weak: bool) -> Pairs:
    """The facts of every judgment that may be learnt from, charge names masked; they should find the judgment itself.

    With `weak` they should also find the others that have exactly its charges.
    """
    documents, chosen = collection.documents, trainable_judgments(collection)
    alike: dict[frozenset[str], list[int]] = {}
    for place, document in enumerate(documents):
        if document.charges:
            alike.setdefault(frozenset(document.charges), []).append(place)
    texts = _inputs(collection).of_judgments_as_queries([documents[place] for place in chosen])
    others = [
        np.array(alike.get(frozenset(documents[place].charges), []) if weak else [], np.int64) for place in chosen
    ]
    # Itself as often as any other: what was done matters besides what it is called.
    right = [np.append(some, np.full(max(len(some), 1), place)) for place, some in zip(chosen, others, strict=True)]
    return Pairs(Examples(*encode(texts), right), right)


def query_pairs(collection: Collection, queries: Sequence[Query], encode: Encode) -> Pairs:
    """Labelled queries; the judgments that one was drawn from are neither right nor wrong."""
    position = {document.id: place for place, document in enumerate(collection.documents)}
    right = [np.array([position[name] for name in relevant(collection, query)]) for query in queries]
    own = [[position[name] for name in query.own_documents if name in position] for query in queries]
    excluded = [np.append(found, drawn_from).astype(np.int64) for found, drawn_from in zip(right, own, strict=True)]
    return Pairs(Examples(*encode([query.text for query in queries]), right), excluded)


def _inputs(collection: Collection) -> Inputs:
    """Statutes are read with their titles, judgments with their reasoning."""
    statutes = all(document.node in collection.law for document in collection.documents)
    return Inputs.of(collection, plain=statutes)
