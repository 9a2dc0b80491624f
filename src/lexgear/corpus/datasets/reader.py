"""What all readers share: a record that cannot be used is left out with its reason, and the rest goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError
from lexgear.files import has_surrogate, read_json
from lexgear.law.charges import shipped_charges
from lexgear.progress import Progress, silent

Row: TypeAlias = Mapping[str, Any]


class UnusableError(InputError):
    """A record that has to be left out; its message is the reason."""


class HasId(Protocol):
    """Anything with an id of its own."""

    @property
    def id(self) -> str:
        """The id."""


Made = TypeVar("Made", bound=HasId)


@dataclass(frozen=True, slots=True)
class Record:
    """One raw record and where it stands; its readers refuse what cannot be used."""

    file: Path
    line: int | None
    row: Row
    skipped: SkippedRecords
    id_field: str = "id"

    @property
    def id(self) -> str:
        """The id, as text."""
        return get_id(self.row, self.id_field)

    @property
    def name(self) -> str:
        """What to call the record when it is left out, whatever its id looks like."""
        return str(self.row.get(self.id_field, "a record without id"))

    def text(self, field: str, *, required: bool = True) -> str:
        """A text without the white space around it; empty where it may be absent."""
        text = get_text(self.row, field).strip() if required or self.row.get(field) is not None else ""
        if required and not text:
            raise UnusableError(f"empty {field}")
        return text

    def texts(self, field: str) -> tuple[str, ...]:
        """A list of texts; numbers are taken as text."""
        return get_texts(self.row, field)

    def charges(self, field: str) -> tuple[str, ...]:
        """The official names of a list of charges; an unknown one is left out and listed, the record stays."""
        return official_charges(self.texts(field), self)

    def skip(self, reason: str) -> None:
        """Lists the record, or a part of it, as left out."""
        self.skipped.add(self.file, self.line, self.name, reason)


def get_id(row: Row, field: str = "id") -> str:
    """The id of a row as text; TREC files part their columns by spaces, so that an id may hold none."""
    value = row.get(field)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise UnusableError(f"no {field}")
    if len(str(value).split()) != 1 or str(value) != str(value).strip():
        raise UnusableError(f"empty {field}, or spaces in it")
    if "\0" in str(value) or has_surrogate(str(value)):
        raise UnusableError(f"{field} with a sign that no file can hold")
    return str(value)


def get_text(row: Row, field: str) -> str:
    """A text of a row."""
    value = row.get(field)
    if not isinstance(value, str):
        raise UnusableError(f"no {field}" if value is None else f"{field} is not a text")
    return value


def get_texts(row: Row, field: str) -> tuple[str, ...]:
    """A list of texts of a row; none where the field is absent."""
    values = row.get(field)
    if values is None:
        return ()
    if not isinstance(values, list) or not all(isinstance(value, str | int) for value in values):
        raise UnusableError(f"{field} is not a list of texts")
    return tuple(str(value) for value in values)


def official_charges(names: Iterable[str], record: Record) -> tuple[str, ...]:
    """Charges by their official names, each once."""
    charges: dict[str, None] = {}
    for name in names:
        if official := shipped_charges().official(name):
            charges[official] = None
        else:
            record.skip(f"unknown charge {name!r}")
    return tuple(charges)


def read_records(
    file: Path,
    rows: Iterable[tuple[int | None, Row]],
    make: Callable[[Record], Made],
    skipped: SkippedRecords,
    *,
    id_field: str = "id",
    taken: set[str] | None = None,
    progress: Progress = silent,
) -> tuple[Made, ...]:
    """What `make` makes of every row; a row it refuses, or whose id stood before, is left out and listed.

    Readers of several files hand the same set as `taken` to all of them, so that an id stands once in all.
    """
    made: list[Made] = []
    taken = set() if taken is None else taken
    for done, (line, row) in enumerate(rows, start=1):
        record = Record(file, line, row, skipped, id_field)
        try:
            if record.id in taken:
                record.skip("duplicate id")
            else:
                made.append(make(record))
                taken.add(record.id)
        except UnusableError as reason:
            record.skip(str(reason))
        progress(done, None)
    return tuple(made)


@contextmanager
def expect_shape(file: Path, expected: str) -> Iterator[None]:
    """Turns a stumble over the shape of a JSON file into an error that says which shape was expected."""
    try:
        yield
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise InputError("not in the expected shape", file=file, remedy=f"it should hold {expected}") from error


def read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise InputError("not a JSON object", file=path, remedy="the file must map ids to values")
    return value


def read_list(path: Path) -> list[Any]:
    """The list in a JSON file."""
    value = read_json(path)
    if not isinstance(value, list):
        raise InputError("not a JSON list", file=path)
    return value


def find_file(source: Path, *names: str) -> Path | None:
    """The first of several places where a data set may keep a file."""
    return next((source / name for name in names if (source / name).exists()), None)


def need_file(source: Path, *names: str, remedy: str) -> Path:
    """Like `find_file`, but one has to be there."""
    if found := find_file(source, *names):
        return found
    raise InputError(f"no {' or '.join(names)} in it", file=source, remedy=remedy)
