"""Helpers of the data set readers: access to raw records, skipping of unusable ones, lookup of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from lexgear.corpus.id_set import IdSet
from lexgear.corpus.skipped_records import SkippedRecord, SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.files import has_surrogate, read_json
from lexgear.law.charges import shipped_charges
from lexgear.progress import Progress, silent

Row: TypeAlias = Mapping[str, Any]
ROWS_PER_PARTITION = 200
"""Rows that one worker reads before it gives them back: seconds of work for judgments."""


class UnusableError(InputError):
    """An unusable record; the message is the reason why it is skipped."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, code=ErrorCode.RECORD_INVALID, reason=reason)


class HasId(Protocol):
    """Protocol of records with an id."""

    @property
    def id(self) -> str:
        """Id of the record."""


Made = TypeVar("Made", bound=HasId)


@dataclass(frozen=True, slots=True)
class Record:
    """A raw record with its file and line; its methods raise an UnusableError for invalid fields."""

    file: Path
    line: int | None
    row: Row
    skipped: SkippedRecords
    id_field: str = "id"

    @property
    def id(self) -> str:
        """Id of the record, as text."""
        return get_id(self.row, self.id_field)

    @property
    def name(self) -> str:
        """Name of the record in the list of skipped records, valid id or not."""
        return str(self.row.get(self.id_field, "a record without id"))

    def text(self, field: str, *, required: bool = True) -> str:
        """Return a text without surrounding white space; empty if absent and not required."""
        text = get_text(self.row, field).strip() if required or self.row.get(field) is not None else ""
        if required and not text:
            raise UnusableError(f"empty {field}")
        return text

    def texts(self, field: str) -> tuple[str, ...]:
        """Return a list of texts; numbers become text."""
        return get_texts(self.row, field)

    def charges(self, field: str) -> tuple[str, ...]:
        """Return the official names of a list of charges; unknown ones are skipped, the record is kept."""
        return official_charges(self.texts(field), self)

    def skip(self, reason: str) -> None:
        """Add the record, or a part of it, to the list of skipped records."""
        self.skipped.add(self.file, self.line, self.name, reason)


def get_id(row: Row, field: str = "id") -> str:
    """Return the id of a row as text; it may not contain spaces, which separate the columns of TREC files."""
    value = row.get(field)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise UnusableError(f"no {field}")
    if len(str(value).split()) != 1 or str(value) != str(value).strip():
        raise UnusableError(f"{field} is empty or contains spaces")
    if "\0" in str(value) or has_surrogate(str(value)):
        raise UnusableError(f"{field} contains a NUL character or a lone surrogate")
    return str(value)


def get_text(row: Row, field: str) -> str:
    """Return a text of a row."""
    value = row.get(field)
    if not isinstance(value, str):
        raise UnusableError(f"no {field}" if value is None else f"{field} is not a string")
    return value


def get_texts(row: Row, field: str) -> tuple[str, ...]:
    """Return a list of texts of a row; empty if the field is absent."""
    values = row.get(field)
    if values is None:
        return ()
    if not isinstance(values, list) or not all(isinstance(value, str | int) for value in values):
        raise UnusableError(f"{field} is not a list of strings")
    return tuple(str(value) for value in values)


def official_charges(names: Iterable[str], record: Record) -> tuple[str, ...]:
    """Return charges by their official names, each once; skip unknown ones."""
    charges: dict[str, None] = {}
    for name in names:
        if official := shipped_charges().official(name):
            charges[official] = None
        else:
            record.skip(f"unknown charge {name!r}")
    return tuple(charges)


@dataclass(frozen=True, slots=True)
class Partition:
    """Consecutive rows of a file, which one worker reads."""

    file: Path
    rows: tuple[tuple[int | None, Row], ...]
    make: Callable[[Record], HasId]
    id_field: str


class Outcome(NamedTuple):
    """One row after reading."""

    line: int | None
    id: str
    """Id of the record; empty if it has none."""
    made: Any | None
    """The document or query; None if the row cannot be used."""
    skipped: Sequence[SkippedRecord]
    """Reasons why the record, or a part of it, is skipped."""


ReadAll: TypeAlias = Callable[[Iterable[Partition]], Iterable[Sequence[Outcome]]]
"""Function that reads partitions and returns their rows in order."""


def read_partition(partition: Partition) -> list[Outcome]:
    """Read the rows of a partition, each by itself."""
    outcomes = []
    for line, row in partition.rows:
        skipped = SkippedRecords()
        record = Record(partition.file, line, row, skipped, partition.id_field)
        name, made = "", None
        try:
            name = record.id
            made = partition.make(record)
        except UnusableError as reason:
            record.skip(str(reason))
        outcomes.append(Outcome(line, name, made, tuple(skipped.entries)))
    return outcomes


def read_here(partitions: Iterable[Partition]) -> Iterable[Sequence[Outcome]]:
    """Read partitions one after another in this process."""
    return map(read_partition, partitions)


READ_ALL: ContextVar[ReadAll] = ContextVar("READ_ALL", default=read_here)
"""Reads the partitions of large files; `partitions.py` sets it to read them elsewhere."""


def iter_records(  # noqa: PLR0913 (options of one loop)
    file: Path,
    rows: Iterable[tuple[int | None, Row]],
    make: Callable[[Record], Made],
    skipped: SkippedRecords,
    *,
    id_field: str = "id",
    taken: IdSet | None = None,
    progress: Progress = silent,
    parallel: bool = False,
) -> Iterator[Made]:
    """Yield what `make` returns for each row; skip rows that it rejects and repeated ids.

    Readers of several files pass the same set as `taken` for all of them, so that ids are unique across files. With
    `parallel`, rows may be read by other processes, which must be able to import `make`.
    """
    taken = IdSet() if taken is None else taken
    read = READ_ALL.get() if parallel else read_here
    for done, outcome in enumerate(chain.from_iterable(read(_partitions(file, rows, make, id_field))), start=1):
        if outcome.id in taken:
            skipped.add(file, outcome.line, outcome.id, "duplicate id")
        else:
            for entry in outcome.skipped:
                skipped.add(entry.file, entry.line, entry.record, entry.reason)
            if outcome.made is not None:
                taken.add(outcome.id)
                yield outcome.made
        progress(done, None)


def read_records(  # noqa: PLR0913 (options of one loop)
    file: Path,
    rows: Iterable[tuple[int | None, Row]],
    make: Callable[[Record], Made],
    skipped: SkippedRecords,
    *,
    id_field: str = "id",
    taken: IdSet | None = None,
    progress: Progress = silent,
    parallel: bool = False,
) -> tuple[Made, ...]:
    """Return all that `iter_records` yields."""
    return tuple(
        iter_records(file, rows, make, skipped, id_field=id_field, taken=taken, progress=progress, parallel=parallel)
    )


def _partitions(
    file: Path, rows: Iterable[tuple[int | None, Row]], make: Callable[[Record], HasId], id_field: str
) -> Iterator[Partition]:
    """Yield the rows in partitions of equal size; the rows before an unreadable one come before its error."""
    remaining, failure = iter(rows), None
    while failure is None:
        some = []
        try:
            for row in islice(remaining, ROWS_PER_PARTITION):
                some.append(row)
        except InputError as error:
            failure = error
        if some:
            yield Partition(file, tuple(some), make, id_field)
        elif failure is None:
            return
    raise failure


def require_unique_ids(path: Path, made: Iterable[tuple[int, Made]]) -> tuple[Made, ...]:
    """Return the records, given with their line numbers; raise an InputError if two have the same id."""
    records: list[Made] = []
    seen: dict[str, int] = {}
    for line, record in made:
        if record.id in seen:
            raise InputError(
                f"the id {record.id!r} is already used on line {seen[record.id]}",
                code=ErrorCode.DUPLICATE_ID,
                file=path,
                line=line,
                remedy="use unique ids",
                id=record.id,
            )
        seen[record.id] = line
        records.append(record)
    return tuple(records)


@contextmanager
def expect_shape(file: Path, expected: str) -> Iterator[None]:
    """Turn an exception caused by unexpected JSON into an InputError that says what is expected."""
    try:
        yield
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise InputError(
            "unexpected structure",
            code=ErrorCode.FILE_MALFORMED,
            file=file,
            remedy=f"it should contain {expected}",
            expected=expected,
        ) from error


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file."""
    value = read_json(path)
    if not isinstance(value, dict):
        remedy = "the file must map ids to values"
        raise InputError("not a JSON object", code=ErrorCode.FILE_MALFORMED, file=path, remedy=remedy)
    return value


def read_list(path: Path) -> list[Any]:
    """Return the list in a JSON file."""
    value = read_json(path)
    if not isinstance(value, list):
        raise InputError("not a JSON list", code=ErrorCode.FILE_MALFORMED, file=path)
    return value


def find_file(source: Path, *names: str) -> Path | None:
    """Return the first of several possible paths of a file in a data set; None if there is none."""
    return next((source / name for name in names if (source / name).exists()), None)


def need_file(source: Path, *names: str, remedy: str) -> Path:
    """Return the same as `find_file`; raise an InputError if there is no file."""
    if found := find_file(source, *names):
        return found
    raise InputError(f"no {' or '.join(names)} in it", code=ErrorCode.FILE_MISSING, file=source, remedy=remedy)
