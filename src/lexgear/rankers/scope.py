"""Which documents may answer a query: filters, the query's own pool, its own judgment left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from lexgear.corpus.records import Query


@dataclass(frozen=True, slots=True)
class Scope:
    """Limits on a search; by default none, except that a query's own judgments are always left out."""

    only: Collection[str] | None = None
    """Documents that pass the filters, where there are filters."""
    pools: Mapping[str, Collection[str]] | None = None
    """query id → its candidates; a query without a pool has none."""
    exclude: Mapping[str, Collection[str]] = field(default_factory=dict)
    """query id → documents to leave out, beside the query's own judgments."""

    def allowed(self, query: Query) -> set[str] | None:
        """The documents the query may get; None where every document may."""
        limits = [set(self.only)] if self.only is not None else []
        if self.pools is not None:
            limits.append(set(self.pools.get(query.id, ())))
        return set.intersection(*limits) if limits else None

    def left_out(self, query: Query) -> set[str]:
        """The documents the query must not get."""
        return {*query.own_documents, *self.exclude.get(query.id, ())}
