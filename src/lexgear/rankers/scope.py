"""Search scope: filters, candidate pools and excluded documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from lexgear.corpus.records import Query


@dataclass(frozen=True, slots=True)
class Scope:
    """Limits on a search. A query's own judgments are always excluded; there are no other limits by default."""

    only: Collection[str] | None = None
    """Documents that pass the filters; None if there are no filters."""
    pools: Mapping[str, Collection[str]] | None = None
    """query id → its candidates; a query that is not listed has no candidates."""
    exclude: Mapping[str, Collection[str]] = field(default_factory=dict)
    """query id → documents to exclude, besides the query's own judgments."""

    def allowed(self, query: Query) -> Collection[str] | None:
        """Return the documents that a query may find; None if it may find all."""
        if self.pools is None:
            return self.only
        limits = [set(self.only)] if self.only is not None else []
        return set.intersection(*limits, set(self.pools.get(query.id, ())))

    def left_out(self, query: Query) -> set[str]:
        """Return the documents that a query must not find."""
        return {*query.own_documents, *self.exclude.get(query.id, ())}
