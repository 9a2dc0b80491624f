"""Study of systems on one data set: each system is trained and searched once per seed, and its run is kept on disk."""

from __future__ import annotations

import json
import time
from collections.abc import Collection as Ids
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from lexgear.atomic import atomic_file
from lexgear.corpus.records import Collection, Query
from lexgear.evaluation.experiment import run_of
from lexgear.evaluation.folds import cross_validate, fit_documents, searchable_queries
from lexgear.evaluation.reproduce.recipe import Profile, Recipes, System
from lexgear.evaluation.reproduce.run_facts import Facts, FactsRecorder
from lexgear.files import dumps
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker
from lexgear.settings import changed, settings_row
from lexgear.training.workspace import Workspace, fingerprint
from lexgear.trec import Run, ranking, read_run, write_run

DEPTH = 1000
"""Documents per query in a run."""


@dataclass(frozen=True)
class SystemRun:
    """The run of a system with one seed, and facts about how it came about."""

    run: Run
    facts: Facts


SystemRuns: TypeAlias = Mapping[System, Sequence[SystemRun]]
"""system → its runs, one per seed."""


@dataclass
class Study:
    """A data set on which systems are compared."""

    collection: Collection
    profile: Profile
    recipes: Recipes
    directory: Path
    """Directory of the runs, one TREC file and one JSON file each."""

    def __post_init__(self) -> None:
        test = [query for query in self.collection.queries if query.split == "test"]
        asked = self.collection.queries if self.profile.folds else test
        labels = self.collection.qrels
        self.queries: Sequence[Query] = [
            query for query in asked if labels.get(query.id) and not query.incomplete_labels
        ]
        """The queries that are scored."""

    def seeds(self, system: System, wanted: int = 0) -> int:
        """Return the number of seeds for a system: one if its result does not depend on the seed."""
        return (wanted or self.profile.seeds) if system.drawn else 1

    def run(self, system: System, seed: int, progress: Progress = silent) -> SystemRun:
        """Return the run of a system; train and search only if it is not on disk yet."""
        run_path = self.run_path(system, seed)
        facts_path = run_path.with_suffix(".json")
        if not facts_path.exists():
            run_path.parent.mkdir(parents=True, exist_ok=True)
            run, facts = self._train_and_search(system, seed, progress)
            write_run(run_path, run, system.name)
            with atomic_file(facts_path) as file:
                file.write(json.dumps(facts, ensure_ascii=False))
        return SystemRun(read_run(run_path), json.loads(facts_path.read_text(encoding="utf-8")))

    def run_path(self, system: System, seed: int) -> Path:
        """Return the path of a run; it depends on settings and data."""
        whole = self._fingerprint(system.make_ranker(seed, self.profile))
        return self.directory / f"{self.collection.name}-{system.name}-{seed}-{whole[:8]}.trec"

    def _fingerprint(self, ranker: Ranker) -> str:
        parts = [self._data, ranker.name, settings_row(ranker.settings), self.profile.folds]
        return sha256(dumps(parts).encode()).hexdigest()

    @cached_property
    def _data(self) -> str:
        return fingerprint(self.collection)

    def _train_and_search(self, system: System, seed: int, progress: Progress) -> tuple[Run, Facts]:
        ranker, start = system.make_ranker(seed, self.profile), time.monotonic()
        recorder = FactsRecorder(self.collection)
        workspace = Workspace.beside(self.run_path(system, seed), self._fingerprint(ranker))
        if ranker.training:
            ranker.training.workspace = workspace
        search = self._search_in_folds if self.profile.folds else self._search_test_queries
        run = search(ranker, seed, recorder, progress)
        workspace.clear()
        label, settings = ranker.label() or system.label, settings_row(ranker.settings)
        facts = {"label": label, "settings": settings, "folds": self.profile.folds}
        return run, facts | {"seconds": time.monotonic() - start} | recorder.facts

    def _search_in_folds(self, ranker: Ranker, seed: int, recorder: FactsRecorder, progress: Progress) -> Run:
        indexed = fit_documents(self.collection, _without_patience(ranker), progress)
        recorder.record_training(indexed)
        indexed.settings = ranker.settings
        depth = len(self.collection.documents)
        run = cross_validate(self.collection, indexed, self.profile.folds, seed, depth, progress, recorder.record_fold)
        return {query.id: self._best_and_labelled(query, run[query.id]) for query in self.queries}

    def _search_test_queries(self, ranker: Ranker, _seed: int, recorder: FactsRecorder, progress: Progress) -> Run:
        ranker.fit(self.collection, progress)
        recorder.record_training(ranker)
        queries = searchable_queries(ranker, self.queries)
        depth = min(DEPTH, len(self.collection.documents))
        run = run_of(queries, ranker.search(queries, depth, progress=progress))
        recorder.record_charges(ranker, self.queries)
        return run

    def _best_and_labelled(self, query: Query, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the best documents, and those that pools or labels mention."""
        return best_and(scores, {*self.collection.pools.get(query.id, ()), *self.collection.qrels.get(query.id, ())})


def best_and(scores: Mapping[str, float], others: Ids[str]) -> dict[str, float]:
    """Return the scores of the first `DEPTH` documents of a ranking and of some others."""
    best = set(ranking(scores)[:DEPTH]).union(others)
    return {name: score for name, score in scores.items() if name in best}


def _without_patience(ranker: Ranker) -> Ranker:
    """Return the same ranker without early stopping: without queries there is nothing to validate on."""
    if ranker.training is None:
        return ranker
    other = type(ranker)(changed(ranker.settings, patience=0))
    if other.training:
        other.training.workspace = ranker.training.workspace
    return other
