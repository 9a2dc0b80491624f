"""Incremental reading: which documents of a collection are new, and where the known ones are."""

from __future__ import annotations

from collections.abc import Sequence

from lexgear.corpus.records import Document


def new_and_known(known: Sequence[str], documents: Sequence[Document]) -> tuple[list[Document], list[int]]:
    """Return the documents that are not known yet, and for every document the row of its features.

    Rows of known documents come first, in the order of `known`; those of new documents follow.

    >>> new_and_known(["a", "b"], [Document("c"), Document("b")])[1]
    [2, 1]
    """
    rows = {name: row for row, name in enumerate(known)}
    new = [document for document in documents if document.id not in rows]
    rows |= {document.id: row for row, document in enumerate(new, start=len(known))}
    return new, [rows[document.id] for document in documents]
