"""Checkpoint directory of a training run, identified by a fingerprint of the run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

from lexgear.atomic import DirectoryMarker, atomic_directory, check_output
from lexgear.corpus.json_rows import document_row, query_row
from lexgear.corpus.records import Collection
from lexgear.files import dumps
from lexgear.training.model_state import damaged_checkpoint, foreign_checkpoint

STATE = "state.json"
MARKER = DirectoryMarker(STATE, '"schedule"')


@dataclass(frozen=True, slots=True)
class Workspace:
    """Checkpoint directory of one run, with fixed settings, collection and version."""

    directory: Path
    run: str
    """Fingerprint of the run."""

    @classmethod
    def beside(cls, index: Path, run: str) -> Workspace:
        """Return the workspace beside an index: `build/index.training` for `build/index`."""
        return cls(index.with_name(f"{index.name}.training"), run)

    def state(self) -> Mapping[str, Any] | None:
        """Return the state of the last checkpoint, or None; raise an InputError for one of another run."""
        check_output(self.directory, MARKER)
        try:
            state = json.loads((self.directory / STATE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise damaged_checkpoint(self.directory) from error
        if not isinstance(state, dict) or state.get("run") != self.run:
            raise foreign_checkpoint(self.directory)
        return state

    def stage(self, name: str) -> Workspace:
        """Return the workspace of one of several stages, in a subdirectory."""
        if self.state() is None:
            with atomic_directory(self.directory, MARKER) as temporary:
                state = {"run": self.run, "log": [], "schedule": 0}
                (temporary / STATE).write_text(json.dumps(state, indent=1), encoding="utf-8")
        return Workspace(self.directory / name, self.run)

    def epochs_done(self) -> int:
        """Return the number of finished epochs, summed over all stages."""
        own = len((self.state() or {}).get("log", ()))
        stages = [Workspace(kept.parent, self.run) for kept in self.directory.glob(f"*/{STATE}")]
        return own + sum(stage.epochs_done() for stage in stages)

    def clear(self) -> None:
        """Remove the checkpoint."""
        if MARKER.exists_in(self.directory):
            shutil.rmtree(self.directory)


def fingerprint(collection: Collection, *values: Any) -> str:
    """Return the sha256 of a collection, plain values such as a ranker's settings, and lexgear's version."""
    about = [collection.name, collection.language, collection.relevant_from, dict(collection.source)]
    digest = sha256(dumps([version("lexgear"), values, about, _plain(collection.qrels)]).encode())
    documents, queries = map(document_row, collection.documents), map(query_row, collection.queries)
    for row in chain(documents, queries, collection.law.to_rows()):
        digest.update(dumps(row).encode() + b"\n")
    return digest.hexdigest()


def _plain(qrels: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {query: dict(grades) for query, grades in qrels.items()}
