"""Nested choice: in every fold, the ranker is chosen that is best in cross-validation over the training folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lexgear.corpus.records import Collection
from lexgear.evaluation.evaluate import evaluate
from lexgear.evaluation.folds import cross_validate
from lexgear.evaluation.measures import Measure
from lexgear.evaluation.scope import make_scope
from lexgear.rankers.base import Ranker


@dataclass
class NestedChoice:
    """Several rankers over the same documents; `with_queries` trains the one that is best on the training queries."""

    rankers: Mapping[str, Ranker]
    measure: Measure
    folds: int
    """Number of inner folds."""
    seed: int
    """Random seed of the inner folds."""
    chosen: Counter[str] = field(default_factory=Counter)
    """Number of times that each ranker was chosen."""
    reads_labels: bool = False

    def with_queries(self, collection: Collection) -> Ranker:
        """Return the best ranker, trained on all training queries; of equals the first one named."""
        training = replace(collection, queries=tuple(query for query in collection.queries if query.split == "train"))
        best = max(self.rankers, key=lambda name: self.value(training, self.rankers[name]))
        self.chosen[best] += 1
        return self.rankers[best].with_queries(collection)

    def value(self, training: Collection, ranker: Ranker) -> float:
        """Return the measure in cross-validation; with official pools, the mean of all documents and the pools."""
        run = cross_validate(training, ranker, self.folds, self.seed, k=len(training.documents))
        scope = make_scope(training)
        scopes = [scope, replace(scope, pools=training.pools)] if training.pools else [scope]
        found = [evaluate({"run": run}, one, [self.measure]) for one in scopes]
        return sum(one.cells["run", self.measure].mean for one in found) / len(found)
