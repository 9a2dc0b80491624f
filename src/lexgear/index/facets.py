"""Facets of a list of documents: how many have each charge, article, factor, court level, region, year or penalty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from lexgear.corpus.authority import AUTHORITIES
from lexgear.corpus.extraction.penalties import KINDS
from lexgear.corpus.field_values import LEVELS
from lexgear.corpus.penalty_bands import ENDS, band_of_months
from lexgear.index.catalogue import DocumentColumns

FACETS = ("authority", "charge", "article", "factor", "level", "region", "date", "band")
"""Names of the facets, which are names of filters; dates are counted by year."""
REACH = 200
"""Hits that facets count and that sorting reorders: the best ones."""
BANDS = (*(f"{above}-{to}" for above, to in zip((0, *ENDS), (*ENDS, ""), strict=True)), *KINDS[::-1])
_ORDERS: Mapping[str, Sequence[str]] = {"authority": AUTHORITIES, "level": LEVELS, "band": BANDS}
"""Facets whose values have an order of their own; years are listed from the latest, others by frequency."""


def count_facets(documents: Iterable[DocumentColumns]) -> dict[str, dict[str, int]]:
    """Return facet → value → number of documents, in the order in which people read the values."""
    counted: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
    for document in documents:
        for name in FACETS:
            counted[name].update(facet_values(document, name))
    return {name: _ordered(name, counts) for name, counts in counted.items()}


def facet_values(document: DocumentColumns, name: str) -> set[str]:
    """Return the values of a document for one facet."""
    if name in {"charge", "article", "factor"}:
        return set(getattr(document, f"{name}s"))
    if name == "band":
        return {band_of_months(document.penalty, document.months)} - {""}
    value: str = getattr(document, name) or ""
    return {value[:4] if name == "date" else value} - {""}


def _ordered(name: str, counts: Counter[str]) -> dict[str, int]:
    if name == "date":
        return dict(sorted(counts.items(), reverse=True))
    if order := _ORDERS.get(name):
        return dict(sorted(counts.items(), key=lambda one: order.index(one[0]) if one[0] in order else len(order)))
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
