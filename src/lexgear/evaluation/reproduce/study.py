"""Study of systems on one data set: each system is trained and searched once per seed, and its result is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Collection as Ids
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from lexgear.atomic import atomic_file
from lexgear.corpus.records import Collection, Query
from lexgear.evaluation.coverage import Charges
from lexgear.evaluation.experiment import run_of
from lexgear.evaluation.folds import cross_validate, fit_documents, searchable_queries
from lexgear.evaluation.measures import Measure, parse_measures
from lexgear.evaluation.reproduce.fold_files import FoldFiles, remove_folds
from lexgear.evaluation.reproduce.recipe import Profile, Recipes, System
from lexgear.evaluation.reproduce.results import SystemResult, read_result, score_system, write_result
from lexgear.evaluation.reproduce.run_facts import Facts, FactsRecorder
from lexgear.evaluation.scope import Scope
from lexgear.files import dumps
from lexgear.progress import Progress, silent
from lexgear.rankers.base import Ranker
from lexgear.settings import changed, settings_row
from lexgear.training.workspace import Workspace, fingerprint
from lexgear.trec import Run, ranking, read_run, write_run

DEPTH = 1000
"""Documents per query in a run."""
ALL, POOLS, JUDGED, CHARGES = "all", "pools", "judged", "charges"
"""Scopes: all documents, the official pool of each query, the documents with a label; and all documents by charges."""
POOL_MEASURES = ("nDCG(dcg='exp-log2')@10", "RR")
CUTOFFS = (1, 3, 5, 10)
"""The k of coverage@k."""
COVERAGE = [Measure(name, cutoff=k) for name in ("coverage", "coverage_judgment") for k in CUTOFFS]


@dataclass
class Study:
    """A data set on which systems are compared."""

    collection: Collection
    profile: Profile
    recipes: Recipes
    directory: Path
    """Directory of the runs, one TREC file and one JSON file each."""
    results: Path
    """Directory of the results, one JSON file per system and seed in a folder of the collection's name."""

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

    @cached_property
    def measures(self) -> Sequence[Measure]:
        """All measures of the recipes, over all documents."""
        named = [measure for recipe in self.recipes.recipes.values() for measure in recipe.measures]
        return parse_measures(named, self.collection.relevant_from)

    @cached_property
    def scope(self) -> Scope:
        """The labels of the queries, without their own judgments."""
        return Scope(
            {query.id: self.collection.qrels[query.id] for query in self.queries},
            own={query.id: query.own_documents for query in self.queries if query.own_documents},
        )

    def scopes(self) -> dict[str, Scope]:
        """Return the scopes by name: all documents and, if there are official pools, within these and over judged
        documents."""
        scope = self.scope
        pools = {name: pool for name, pool in self.collection.pools.items() if name in scope.qrels}
        if not pools:
            return {ALL: scope}
        in_pools = replace(scope, qrels={name: scope.qrels[name] for name in pools}, pools=pools)
        return {ALL: scope, POOLS: in_pools, JUDGED: replace(scope, judged=True)}

    def result(self, system: System, seed: int, progress: Progress = silent) -> SystemResult:
        """Return the result of a system; train and search only if it is not on disk yet."""
        fingerprint = self._fingerprint(system.make_ranker(seed, self.profile))
        about = self._about(system, seed) | {"run": fingerprint}
        if found := read_result(self.result_path(system, seed), about, self.measures):
            return found
        run, facts = self.run(system, seed, progress)
        result = self._scored(system, seed, run, facts)
        write_result(self.result_path(system, seed), result, about)
        return result

    def finished_result(self, system: System, seed: int) -> SystemResult | None:
        """Return the result of a system as it lies on disk, whatever its settings; None if there is none."""
        return read_result(self.result_path(system, seed), self._about(system, seed), self.measures)

    def result_path(self, system: System, seed: int) -> Path:
        """Return the path of a result."""
        return self.results / self.collection.name / f"{system.name}-{seed}.json"

    def _about(self, system: System, seed: int) -> dict[str, str | int]:
        return {"collection": self.collection.name, "system": system.name, "seed": seed, "data": self._candidates}

    @cached_property
    def _candidates(self) -> str:
        """Fingerprint of the candidates and the labels: results with another one cannot be compared."""
        documents = sorted(document.id for document in self.collection.documents)
        labels = [self.collection.relevant_from, self.scope.qrels, self.scope.own]
        return sha256(dumps([documents, labels]).encode()).hexdigest()[:16]

    def _scored(self, system: System, seed: int, run: Run, facts: Facts) -> SystemResult:
        in_pools = parse_measures(POOL_MEASURES, self.collection.relevant_from)
        asked: dict[str, tuple[Scope, Sequence[Measure]]] = {
            name: (scope, self.measures if name == ALL else in_pools) for name, scope in self.scopes().items()
        }
        gold = {query.id: query.charges for query in self.queries}
        if any(gold.values()):
            documents = {document.id: document.charges for document in self.collection.documents}
            judged = {system.name: facts["judged"]} if facts.get("judged") else {}
            charges = Charges(gold, documents, judged)
            asked[CHARGES] = (replace(self.scope, load_charges=lambda: charges), COVERAGE)
        return score_system(system.name, seed, run, facts, asked)

    def run(self, system: System, seed: int, progress: Progress = silent) -> tuple[Run, Facts]:
        """Return the run of a system and facts about it; train and search only if it is not on disk yet."""
        run_path = self.run_path(system, seed)
        facts_path = run_path.with_suffix(".json")
        if not facts_path.exists():
            run_path.parent.mkdir(parents=True, exist_ok=True)
            run, facts = self._train_and_search(system, seed, progress)
            write_run(run_path, run, system.name)
            with atomic_file(facts_path) as file:
                file.write(json.dumps(facts, ensure_ascii=False))
            self._remove_checkpoints(run_path)
        return read_run(run_path), json.loads(facts_path.read_text(encoding="utf-8"))

    def run_path(self, system: System, seed: int) -> Path:
        """Return the path of a run; it depends on settings and data."""
        whole = self._fingerprint(system.make_ranker(seed, self.profile))
        return self.directory / f"{self.collection.name}-{system.name}-{seed}-{whole[:8]}.trec"

    def _fingerprint(self, ranker: Ranker) -> str:
        parts = [self._data, ranker.name, settings_row(ranker.settings), self.profile.folds]
        parts += [self.profile.threads] if self.profile.threads else []
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
        if self.profile.folds:
            files = FoldFiles(self.run_path(system, seed), recorder, self._best_and_labelled)
            run = self._search_in_folds(ranker, seed, files, progress)
        else:
            run = self._search_test_queries(ranker, recorder, progress)
        label, settings = ranker.label() or system.label, settings_row(ranker.settings)
        facts = {"label": label, "settings": settings, "folds": self.profile.folds}
        return run, facts | {"seconds": time.monotonic() - start} | recorder.facts

    def _search_in_folds(self, ranker: Ranker, seed: int, files: FoldFiles, progress: Progress) -> Run:
        indexed = fit_documents(self.collection, _without_patience(ranker), progress)
        files.recorder.record_training(indexed)
        indexed.settings = ranker.settings
        depth = len(self.collection.documents)
        run = cross_validate(self.collection, indexed, self.profile.folds, seed, depth, progress, files)
        return {query.id: self._best_and_labelled(query, run[query.id]) for query in self.queries}

    def _search_test_queries(self, ranker: Ranker, recorder: FactsRecorder, progress: Progress) -> Run:
        ranker.fit(self.collection, progress)
        recorder.record_training(ranker)
        queries = searchable_queries(ranker, self.queries)
        depth = min(DEPTH, len(self.collection.documents))
        run = run_of(queries, ranker.search(queries, depth, progress=progress))
        recorder.record_charges(ranker, self.queries)
        return run

    @staticmethod
    def _remove_checkpoints(run_path: Path) -> None:
        """Remove what an interrupted run would have resumed from."""
        Workspace.beside(run_path, "").clear()
        remove_folds(run_path)

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
