"""coverage@k (GEAR, section 5.1): the share of a query's charges that a system names within its first k.

Both ways: by the charges of the first k documents retrieved, and by the first k charges of the judgment.
Charges are compared by name, so names must be official ones on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from lexgear.evaluation.measures import Measure
from lexgear.trec import Run, ranking

Judgments: TypeAlias = Mapping[str, Sequence[str]]
"""query id → charges predicted, most probable first."""


@dataclass(frozen=True, slots=True)
class Charges:
    """What coverage@k compares."""

    of_queries: Mapping[str, Sequence[str]]
    """Gold charges."""
    of_documents: Mapping[str, Sequence[str]]
    judgments: Mapping[str, Judgments] = field(default_factory=dict)
    """system → its judgments, where it makes any."""

    def score(self, system: str, run: Run, measure: Measure) -> dict[str, float]:
        """`coverage@k` or `coverage_judgment@k` of a system, query by query; nothing if it judges nothing."""
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
    """|charges among the first k ∩ gold| / |gold|, query by query; no value without a gold charge.

    >>> coverage({"q": ("theft", "fraud")}, {"q": [("theft", "arson"), ("fraud",)]}, k=1)
    {'q': 0.5}
    """
    values = {}
    for query, charges in gold.items():
        if right := set(charges):
            found = {charge for item in named.get(query, ())[:k] for charge in item}
            values[query] = len(right & found) / len(right)
    return values
