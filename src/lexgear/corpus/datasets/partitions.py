"""Reading of a data set by an engine, partition by partition; an interrupted import continues where it stopped."""

from __future__ import annotations

import json
import shutil
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from lexgear.atomic import DirectoryMarker, atomic_directory, atomic_file, check_output
from lexgear.corpus.datasets.reader import READ_ALL, Outcome, Partition, read_partition
from lexgear.corpus.json_rows import document_from_row, document_row, query_from_row, query_row
from lexgear.corpus.records import Query
from lexgear.corpus.skipped_records import SkippedRecord
from lexgear.engine.base import Engine
from lexgear.engine.in_process import InProcessEngine
from lexgear.engine.opening import open_engine
from lexgear.files import dumps, read_jsonl

STATE = "import.json"
MARKER = DirectoryMarker(STATE, '"import"')


@contextmanager
def parallel_import(
    out: Path, source: Path, choices: Sequence[object], *, workers: int = 1, cluster: str | None = None
) -> Iterator[None]:
    """Let local processes or a cluster read data sets within the block, which also writes the collection `out`.

    `choices` are all arguments that determine what is read.
    """
    with open_engine(cluster, workers) as engine:
        if isinstance(engine, InProcessEngine):
            yield
        else:
            with reading_by(engine, FinishedPartitions(out, source, *choices)):
                yield


@contextmanager
def reading_by(engine: Engine, workspace: FinishedPartitions) -> Iterator[None]:
    """Let an engine read the partitions of data sets; remove the finished partitions if the block succeeds."""

    def read_all(partitions: Iterable[Partition]) -> Iterator[Sequence[Outcome]]:
        files: deque[Path] = deque()

        def unfinished() -> Iterator[Partition | Path]:
            for partition in partitions:
                files.append(workspace.next_file())
                yield files[-1] if files[-1].exists() else partition

        for outcomes in engine.map(_read_unless_finished, unfinished()):
            file = files.popleft()
            if isinstance(outcomes, Path):
                yield read_outcomes(file)
            else:
                write_outcomes(file, outcomes)
                yield outcomes

    token = READ_ALL.set(read_all)
    try:
        yield
    finally:
        READ_ALL.reset(token)
    workspace.clear()


class FinishedPartitions:
    """Directory of the partitions of an import that are read, beside its output, until the import is complete."""

    def __init__(self, out: Path, source: Path, *choices: object) -> None:
        """Keep the partitions of an earlier import with the same source, choices and version, no others."""
        self.directory = out.with_name(f"{out.name}.import")
        self._count = 0
        state = json.dumps({"import": _fingerprint(source, choices)})
        check_output(self.directory, MARKER)
        if not MARKER.exists_in(self.directory) or (self.directory / STATE).read_text(encoding="utf-8") != state:
            with atomic_directory(self.directory, MARKER) as temporary:
                (temporary / STATE).write_text(state, encoding="utf-8")

    def next_file(self) -> Path:
        """Return the file of the next partition; it exists if the partition is finished."""
        self._count += 1
        return self.directory / f"{self._count:08}.jsonl"

    def clear(self) -> None:
        """Remove the directory."""
        shutil.rmtree(self.directory, ignore_errors=True)


def _fingerprint(source: Path, choices: Sequence[object]) -> str:
    """Return a fingerprint of the version, the choices, and name, size and time of every file."""
    digest = sha256(f"{version('lexgear')} {choices!r} {source.resolve()}".encode())
    files = sorted(path for path in source.rglob("*") if path.is_file()) if source.is_dir() else [source]
    for file in files:
        found = file.stat()
        digest.update(f"{file} {found.st_size} {found.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _read_unless_finished(partition: Partition | Path) -> Sequence[Outcome] | Path:
    return partition if isinstance(partition, Path) else read_partition(partition)


def write_outcomes(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Write the rows of a partition after reading."""
    with atomic_file(path) as file:
        for outcome in outcomes:
            file.write(dumps(_row(outcome)) + "\n")


def read_outcomes(path: Path) -> list[Outcome]:
    """Read what `write_outcomes` wrote."""
    return [_outcome(row) for _, row in read_jsonl(path)]


def _row(outcome: Outcome) -> dict[str, Any]:
    made: Any = outcome.made
    skipped = [[str(one.file), one.line, one.record, one.reason] for one in outcome.skipped]
    row = {"line": outcome.line, "id": outcome.id, "skipped": skipped}
    if isinstance(made, Query):
        return row | {"query": query_row(made)}
    return row | ({"document": document_row(made)} if made is not None else {})


def _outcome(row: dict[str, Any]) -> Outcome:
    skipped = [SkippedRecord(Path(file), line, record, reason) for file, line, record, reason in row["skipped"]]
    made: Any = None
    if "document" in row:
        made = document_from_row(row["document"])
    elif "query" in row:
        made = query_from_row(row["query"])
    return Outcome(row["line"], row["id"], made, skipped)
