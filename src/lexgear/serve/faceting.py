"""Facets of a search: the values of its best hits, and of other hits that another choice would bring."""

from __future__ import annotations

from collections.abc import Sequence

from lexgear.corpus.records import Query
from lexgear.index.facets import FACETS, REACH, count_facets
from lexgear.index.filters import parse_filter
from lexgear.serve.served_index import ServedIndex

FacetCounts = dict[str, dict[str, int]]


def facets_of(
    served_index: ServedIndex, text: str, filters: Sequence[str], node: str, best: Sequence[str] | None = None
) -> FacetCounts:
    """Return facet → value → number among the best `REACH` hits; `best` are their ids if they are known already.

    A facet with a filter set counts the hits without this filter, so that it shows what else could be chosen.
    """
    named = [(parse_filter(written), written) for written in filters]
    chosen = {one.name for one, _ in named if one.operator == "="} & set(FACETS)
    if best is None:
        counted = _count(served_index, text, filters, node)
    else:
        counted = count_facets(served_index.index.stored.catalogue.columns(best))
    for name in sorted(chosen):
        others = [written for one, written in named if one.name != name or one.operator != "="]
        counted[name] = _count(served_index, text, others, node)[name]
    return counted


def _count(served_index: ServedIndex, text: str, filters: Sequence[str], node: str) -> FacetCounts:
    [hits] = served_index.index.rank([Query("", text)], REACH, served_index.scope(filters, node))
    return count_facets(served_index.index.stored.catalogue.columns([hit.document for hit in hits]))
