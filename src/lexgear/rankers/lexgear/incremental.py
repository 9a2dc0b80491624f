"""Which documents of a collection a ranker has not read yet, and where the others stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lexgear.corpus.records import Document


class Arrivals(NamedTuple):
    """Documents to read, and the order to bring what was read before and what is read now into.

    >>> Arrivals.of(["a", "b"], [Document("c"), Document("b")]).order
    [2, 1]
    """

    new: list[Document]
    order: list[int]
    """For every document of the collection its row, those known before counted first, then the new ones."""

    @classmethod
    def of(cls, known: Sequence[str], documents: Sequence[Document]) -> Arrivals:
        """Given the ids of the documents known so far, by position."""
        place = {name: at for at, name in enumerate(known)}
        new = [document for document in documents if document.id not in place]
        place |= {document.id: at for at, document in enumerate(new, start=len(known))}
        return cls(new, [place[document.id] for document in documents])
