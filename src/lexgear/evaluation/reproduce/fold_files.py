"""Files of finished folds, so that an interrupted cross-validation resumes with the next one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from lexgear.atomic import atomic_file
from lexgear.corpus.records import Query
from lexgear.evaluation.reproduce.run_facts import FactsRecorder
from lexgear.files import read_json
from lexgear.rankers.base import Ranker
from lexgear.trec import Run


@dataclass(frozen=True, slots=True)
class FoldFiles:
    """Runs of single folds beside the run that they become, each with the facts recorded so far."""

    run_path: Path
    recorder: FactsRecorder
    shorten: Callable[[Query, Mapping[str, float]], dict[str, float]]
    """Returns the part of a query's ranking that is kept."""

    def load(self, fold: int) -> Run | None:
        """Return the run of a finished fold; None if it is not finished."""
        if not self._path(fold).exists():
            return None
        row = cast(dict[str, Any], read_json(self._path(fold)))
        self.recorder.facts = row["facts"]
        return cast(Run, row["run"])

    def save(self, fold: int, ranker: Ranker, queries: Sequence[Query], run: Run) -> None:
        """Keep the run of a fold."""
        self.recorder.record_fold(ranker, queries)
        kept = {query.id: self.shorten(query, run[query.id]) for query in queries}
        with atomic_file(self._path(fold)) as file:
            file.write(json.dumps({"facts": self.recorder.facts, "run": kept}, ensure_ascii=False))

    def _path(self, fold: int) -> Path:
        return self.run_path.with_suffix(f".fold-{fold}.json")


def remove_folds(run_path: Path) -> None:
    """Remove the files of single folds, once the whole run is written."""
    for path in run_path.parent.glob(f"{run_path.stem}.fold-*.json"):
        path.unlink()
