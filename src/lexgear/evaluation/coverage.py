"""coverage@k (GEAR, section 5.1): the share of a query's charges that a system names.

`coverage` looks at the charges of the first k documents, `coverage_judgment` at the first k charges of the judgment.
Charges are compared by name, so both sides must use the official names. A query without gold charges has no value and
is left out of the mean: no system can cover what is not known. A query without results counts as 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lexgear.evaluation.measures import Measure
from lexgear.trec import Run, ranking

Judgments: TypeAlias = Mapping[str, Sequence[str]]
"""query id → predicted charges, most probable first."""


@dataclass(frozen=True, slots=True)
class Charges:
    """Charges that coverage@k compares."""

    of_queries: Mapping[str, Sequence[str]]
    """Gold charges."""
    of_documents: Mapping[str, Sequence[str]]
    judgments: Mapping[str, Judgments] = field(default_factory=dict)
    """system → its judgments; systems that make none have no entry."""

    def score(self, system: str, run: Run, measure: Measure) -> dict[str, float]:
        """Return `coverage@k` or `coverage_judgment@k` of a system per query; empty if it makes no judgments."""
        if measure.name == "coverage":
            named = {
                query: [self.of_documents.get(document, ()) for document in ranking(run.get(query, {}))]
                for query in self.of_queries
            }
        elif system in self.judgments:
            judged = self.judgments[system]
            named = {query: [(charge,) for charge in judged.get(query, ())] for query in self.of_queries}
        else:
            return {}
        return coverage(self.of_queries, named, measure.cutoff)


def coverage(
    gold: Mapping[str, Sequence[str]], named: Mapping[str, Sequence[Sequence[str]]], k: int | None
) -> dict[str, float]:
    """Return |charges among the first k ∩ gold| / |gold| per query; queries without a gold charge have no value.

    >>> coverage({"q": ("theft", "fraud")}, {"q": [("theft", "arson"), ("fraud",)]}, k=1)
    {'q': 0.5}
    """
    values = {}
    for query, charges in gold.items():
        if right := set(charges):
            found = {charge for item in named.get(query, ())[:k] for charge in item}
            values[query] = len(right & found) / len(right)
    return values
