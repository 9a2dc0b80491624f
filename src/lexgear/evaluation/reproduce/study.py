"""One system, one seed: trained, searched and kept on disk, so that whatever was stopped goes on from there."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Collection as Names
from dataclasses import dataclass, fields, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from lexgear.atomic import atomic_file
from lexgear.corpus.records import Collection, Query
from lexgear.evaluation.experiment import run_of
from lexgear.evaluation.folds import askable, cross_validated, documents_first
from lexgear.evaluation.reproduce.named_charges import charges_named
from lexgear.evaluation.reproduce.recipe import Profile, Recipes, System
from lexgear.files import dumps
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker
from lexgear.rankers.generative.generator_ranker import GeneratorRanker
from lexgear.rankers.trained import TrainedRanker
from lexgear.settings import settings_row
from lexgear.training.loop import NON_LOSS_COLUMNS, Row, epochs_since_best
from lexgear.training.workspace import Workspace, fingerprint
from lexgear.trec import Run, ranking, read_run, write_run

DEPTH = 1000
"""Documents a query in a run."""
SETTLED = 0.2
"""Share of the epochs that must have passed since the best validation value, to call it a plateau."""
Facts = dict[str, Any]


@dataclass(frozen=True)
class Made:
    """What a system left behind for one seed."""

    run: Run
    facts: Facts
    """`label`, `settings`, `seconds`, and of what is trained `steps`, `tokens`, `loss`, `indexing` (the share of
    documents that their own text finds first), `settled`, `validation` (by epoch, a list for every training); of what
    judges `judged` (query → charges)."""


@dataclass
class Study:
    """A data set on which systems are tried."""

    collection: Collection
    profile: Profile
    recipes: Recipes
    directory: Path
    """Where runs are kept, a TREC file and a JSON file each."""

    def __post_init__(self) -> None:
        test = [query for query in self.collection.queries if query.split == "test"]
        asked = self.collection.queries if self.profile.folds else test
        labels = self.collection.qrels
        self.queries: Sequence[Query] = [query for query in asked if labels.get(query.id)]
        """Those that are scored."""

    def seeds(self, system: System, wanted: int = 0) -> int:
        """How many seeds a system is tried with: where nothing is drawn one says it all."""
        return (wanted or self.profile.seeds) if system.drawn else 1

    def made(self, system: System, seed: int, progress: Progress = silent) -> Made:
        """What was kept, or what the system does now."""
        run_at, facts_at = self.run_of(system, seed), self.run_of(system, seed).with_suffix(".json")
        if not facts_at.exists():
            run_at.parent.mkdir(parents=True, exist_ok=True)
            run, facts = self._tried(system, seed, progress)
            write_run(run_at, run, system.name)
            with atomic_file(facts_at) as file:
                file.write(json.dumps(facts, ensure_ascii=False))
        return Made(read_run(run_at), json.loads(facts_at.read_text(encoding="utf-8")))

    def run_of(self, system: System, seed: int) -> Path:
        """Where the run of a system is kept: other settings or data have another place."""
        whole = self._fingerprint(system.made(seed, self.profile))
        return self.directory / f"{self.collection.name}-{system.name}-{seed}-{whole[:8]}.trec"

    def _kept(self, query: Query, scores: Mapping[str, float]) -> dict[str, float]:
        """The best, and whatever pools or labels speak of."""
        return best_and(scores, {*self.collection.pools.get(query.id, ()), *self.collection.qrels.get(query.id, ())})

    def _fingerprint(self, ranker: Ranker) -> str:
        said = [self._data, ranker.name, settings_row(ranker.settings), self.profile.folds]
        return sha256(dumps(said).encode()).hexdigest()

    @cached_property
    def _data(self) -> str:
        return fingerprint(self.collection)

    def _tried(self, system: System, seed: int, progress: Progress) -> tuple[Run, Facts]:
        ranker, began, told = system.made(seed, self.profile), time.monotonic(), _Told(self.collection)
        workspace = Workspace.beside(self.run_of(system, seed), self._fingerprint(ranker))
        depth = len(self.collection.documents) if self.profile.folds else min(DEPTH, len(self.collection.documents))
        if isinstance(ranker, TrainedRanker):
            ranker.workspace = workspace
        if self.profile.folds:
            indexed = documents_first(self.collection, _without_patience(ranker), progress)
            told.learnt(indexed)
            indexed.settings = ranker.settings
            run = cross_validated(self.collection, indexed, self.profile.folds, seed, depth, progress, told.of_fold)
            run = {query.id: self._kept(query, run[query.id]) for query in self.queries}
        else:
            ranker.fit(self.collection, progress)
            told.learnt(ranker)
            asked = askable(ranker, self.queries)
            run = run_of(asked, ranker.search(asked, depth, progress=progress))
            told.judgments(ranker, self.queries)
        workspace.clear()
        described: Callable[[], str] = getattr(ranker, "described", lambda: system.label)
        facts = {"label": described(), "settings": settings_row(ranker.settings), "folds": self.profile.folds}
        return run, facts | {"seconds": time.monotonic() - began} | told.facts


def best_and(scores: Mapping[str, float], others: Names[str]) -> dict[str, float]:
    """The first `DEPTH` of a ranking, and the places of some others."""
    best = set(ranking(scores)[:DEPTH]).union(others)
    return {name: score for name, score in scores.items() if name in best}


class _Told:
    """What is to be told of the rankers of a run, fold by fold."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._log: list[Row] = []
        """Of the first ranker."""
        self.facts: Facts = {}

    def of_fold(self, ranker: Ranker, queries: Sequence[Query]) -> None:
        """Of a ranker that was taught, and the queries it was then asked."""
        self.learnt(ranker)
        self.judgments(ranker, queries)

    def learnt(self, ranker: Ranker) -> None:
        """How long it learnt, and how well."""
        if not isinstance(ranker, TrainedRanker) or not ranker.log:
            return
        last, facts = ranker.log[-1], self.facts
        known = len(self._log)
        goes_on = known and ranker.log[:known] == self._log  # its log begins with what all folds share
        for name in ("steps", "tokens"):
            before = self._log[-1].get(name, 0) if goes_on else 0
            facts[name] = facts.get(name, 0) + int(last.get(name, 0) - before)
        self._log = self._log or list(ranker.log)
        facts["loss"] = {name: value for name, value in last.items() if name not in NON_LOSS_COLUMNS}
        values = [row["validation"] for row in ranker.log if "validation" in row]
        facts["settled"] = facts.get("settled", True) and settled(ranker.log)
        facts.setdefault("validation", []).append(values)
        if isinstance(ranker, GeneratorRanker) and "indexing" not in facts:
            facts["indexing"] = ranker.indexing_accuracy(self._collection)

    def judgments(self, ranker: Ranker, queries: Sequence[Query]) -> None:
        """The charges it names, where it names any."""
        named = {query.id: charges_named(ranker, self._collection, query.text) for query in queries}
        if any(named.values()):
            self.facts.setdefault("judged", {}).update(named)


def settled(log: Sequence[Row]) -> bool:
    """Whether validation says that learning went on until nothing more was gained."""
    values = [row for row in log if "validation" in row]
    return bool(values) and epochs_since_best(list(log)) >= max(1, SETTLED * len(values))


def _without_patience(ranker: Ranker) -> Ranker:
    """The same, but learning to the end: without queries there is nothing to validate on."""
    if "patience" not in {field.name for field in fields(ranker.settings_type)}:
        return ranker
    other = type(ranker)(replace(ranker.settings, patience=0))
    if isinstance(other, TrainedRanker) and isinstance(ranker, TrainedRanker):
        other.workspace = ranker.workspace
    return other
