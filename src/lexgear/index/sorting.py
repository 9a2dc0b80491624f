"""Orders of results besides relevance: by date, and by authority and court level."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from lexgear.corpus.authority import AUTHORITIES
from lexgear.corpus.field_values import LEVELS
from lexgear.index.catalogue import Catalogue, DocumentColumns
from lexgear.index.segmented_catalogue import SegmentedCatalogue


class Sort(StrEnum):
    """Order of results."""

    RELEVANCE = "relevance"
    DATE = "date"
    """Latest first; cases without a date last."""
    LEVEL = "level"
    """Guiding and other published cases, then supreme, high, intermediate, basic and special courts."""


def sorted_ids(catalogue: Catalogue | SegmentedCatalogue, ids: Sequence[str], sort: Sort) -> list[str]:
    """Return the ids in another order; among equals the order stays."""
    columns = catalogue.columns(ids)
    if sort == Sort.DATE:
        columns.sort(key=lambda one: one.date or "", reverse=True)
    elif sort == Sort.LEVEL:
        columns.sort(key=_level)
    return [one.id for one in columns]


def _level(document: DocumentColumns) -> tuple[int, int]:
    return _place(AUTHORITIES, document.authority), _place(LEVELS, document.level)


def _place(order: Sequence[str], value: str) -> int:
    return order.index(value) if value in order else len(order)
