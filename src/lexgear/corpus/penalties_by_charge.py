"""Penalties of a judgment by charge, apart from those that combine several charges."""

from __future__ import annotations

from lexgear.corpus.extraction.penalties import heaviest
from lexgear.corpus.records import Count, Defendant, Document, Penalty


def penalties_by_charge(document: Document) -> tuple[Count, ...]:
    """Return each charge with the heaviest penalty for it alone; None if no penalty or only a combined one is known.

    >>> penalties_by_charge(Document("7", charges=("盗窃罪", "抢劫罪"), penalty=Penalty("imprisonment", 42)))
    (Count(charge='盗窃罪', penalty=None), Count(charge='抢劫罪', penalty=None))
    """
    return tuple(Count(charge, _alone(charge, document)) for charge in document.charges)


def _alone(charge: str, document: Document) -> Penalty | None:
    if len(document.charges) == 1 and not any(defendant.counts for defendant in document.defendants):
        return document.penalty
    return heaviest(_of_defendant(charge, defendant) for defendant in document.defendants)


def _of_defendant(charge: str, defendant: Defendant) -> Penalty | None:
    if defendant.counts:
        return next((count.penalty for count in defendant.counts if count.charge == charge), None)
    return defendant.penalty if defendant.charges == (charge,) else None
