"""Where a training run keeps its checkpoint until the index is written, and how it knows its own again."""

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
from lexgear.errors import InputError
from lexgear.files import dumps

STATE = "state.json"
MARKER = DirectoryMarker(STATE, '"schedule"')


@dataclass(frozen=True, slots=True)
class Workspace:
    """A directory of checkpoints that belongs to one run: the same settings, collection and version."""

    directory: Path
    run: str
    """Fingerprint of the run."""

    @classmethod
    def beside(cls, index: Path, run: str) -> Workspace:
        """The sibling of an index to be: `build/index.training`."""
        return cls(index.with_name(f"{index.name}.training"), run)

    def state(self) -> Mapping[str, Any] | None:
        """What the last checkpoint says; None where there is none. What is not of this run is refused."""
        check_output(self.directory, MARKER)
        try:
            state = json.loads((self.directory / STATE).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise InputError("damaged checkpoint", file=self.directory, remedy="remove it to start anew") from error
        if not isinstance(state, dict) or state.get("run") != self.run:
            raise InputError(
                "the checkpoint of another training run (other settings, data or version)",
                file=self.directory,
                remedy="remove it to start anew, or repeat the command it comes from",
            )
        return state

    def stage(self, name: str) -> Workspace:
        """Where one of several stages keeps its checkpoint; the directory itself then holds none, only its mark."""
        if self.state() is None:
            with atomic_directory(self.directory, MARKER) as temporary:
                state = {"run": self.run, "log": [], "schedule": 0}
                (temporary / STATE).write_text(json.dumps(state, indent=1), encoding="utf-8")
        return Workspace(self.directory / name, self.run)

    def epochs_done(self) -> int:
        """Epochs that need not be trained again, those of all stages together."""
        own = len((self.state() or {}).get("log", ()))
        stages = [Workspace(kept.parent, self.run) for kept in self.directory.glob(f"*/{STATE}")]
        return own + sum(stage.epochs_done() for stage in stages)

    def clear(self) -> None:
        """Removes the checkpoint."""
        if MARKER.exists_in(self.directory):
            shutil.rmtree(self.directory)


def fingerprint(collection: Collection, *values: Any) -> str:
    """sha256 of a collection, of plain values such as a ranker's name and settings, and of lexgear's version."""
    about = [collection.name, collection.language, collection.relevant_from, dict(collection.source)]
    digest = sha256(dumps([version("lexgear"), values, about, _plain(collection.qrels)]).encode())
    documents, queries = map(document_row, collection.documents), map(query_row, collection.queries)
    for row in chain(documents, queries, collection.law.to_rows()):
        digest.update(dumps(row).encode() + b"\n")
    return digest.hexdigest()


def _plain(qrels: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {query: dict(grades) for query, grades in qrels.items()}
