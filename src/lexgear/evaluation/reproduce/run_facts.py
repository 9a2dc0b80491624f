"""Facts about a run: how long its rankers trained, how well they converged, and which charges they predict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from lexgear.corpus.records import Collection, Query
from lexgear.evaluation.reproduce.predicted_charges import predicted_charges
from lexgear.rankers.base import Ranker
from lexgear.training.loop import NON_LOSS_COLUMNS, Row, epochs_since_best

PLATEAU = 0.2
"""Share of the epochs that must have passed since the best validation value to call it a plateau."""

Facts: TypeAlias = dict[str, Any]
"""`label`, `settings`, `folds` and `seconds`; of trained rankers `steps`, `tokens`, `loss`, `indexing` (the share of
documents that their own text finds first), `settled` and `validation` (by epoch, one list per training); of rankers
that judge `judged` (query → charges)."""


class FactsRecorder:
    """Collects facts about the rankers of one run, fold by fold."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._first_log: list[Row] = []
        self.facts: Facts = {}

    def record_fold(self, ranker: Ranker, queries: Sequence[Query]) -> None:
        """Record the training of a ranker and the charges it predicts for the queries of its fold."""
        self.record_training(ranker)
        self.record_charges(ranker, queries)

    def record_training(self, ranker: Ranker) -> None:
        """Record steps, tokens, losses and validation values of a trained ranker."""
        log = ranker.training.log if ranker.training else []
        if not log:
            return
        last, facts = log[-1], self.facts
        known = len(self._first_log)
        continues = known and log[:known] == self._first_log  # the log begins with what all folds share
        for name in ("steps", "tokens"):
            before = self._first_log[-1].get(name, 0) if continues else 0
            facts[name] = facts.get(name, 0) + int(last.get(name, 0) - before)
        self._first_log = self._first_log or list(log)
        facts["loss"] = {name: value for name, value in last.items() if name not in NON_LOSS_COLUMNS}
        values = [row["validation"] for row in log if "validation" in row]
        facts["settled"] = facts.get("settled", True) and reached_plateau(log)
        facts.setdefault("validation", []).append(values)
        if "indexing" not in facts and (accuracy := ranker.indexing_accuracy(self._collection)) is not None:
            facts["indexing"] = accuracy

    def record_charges(self, ranker: Ranker, queries: Sequence[Query]) -> None:
        """Record the charges that a ranker predicts, if it predicts any."""
        predicted = {query.id: predicted_charges(ranker, self._collection, query.text) for query in queries}
        if any(predicted.values()):
            self.facts.setdefault("judged", {}).update(predicted)


def reached_plateau(log: Sequence[Row]) -> bool:
    """Return True if training went on for a while after the best validation value."""
    values = [row for row in log if "validation" in row]
    return bool(values) and epochs_since_best(list(log)) >= max(1, PLATEAU * len(values))
