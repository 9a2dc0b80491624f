"""The documents of an index in one SQLite file: compressed texts, and columns to filter by."""

from __future__ import annotations

import errno
import json
import re
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from types import MappingProxyType

from lexgear.corpus.records import Document
from lexgear.corpus.store import document_from_row, document_row
from lexgear.errors import InputError
from lexgear.files import dumps, has_surrogate
from lexgear.law.charges import shipped_charges
from lexgear.progress import Progress, silent

PART = "catalogue.sqlite"
NOTHING: Mapping[str, bytes] = MappingProxyType({})

_SCHEMA = """
CREATE TABLE documents (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, row BLOB NOT NULL,
    court TEXT, level TEXT, region TEXT, date TEXT, penalty TEXT, months INTEGER
);
CREATE TABLE charges (position INTEGER NOT NULL, charge TEXT NOT NULL);
CREATE TABLE articles (position INTEGER NOT NULL, article TEXT NOT NULL);
"""
_INDEXES = """
CREATE INDEX charge_of ON charges (charge, position);
CREATE INDEX article_of ON articles (article, position);
"""

COLUMNS = ("court", "level", "region", "date", "penalty", "months")
LISTS = {"charge": "charges", "article": "articles"}
ORDERED = {"date", "months"}
"""What may be compared by < and > too."""
_FILTER = re.compile(r"\s*(\w+)\s*(<=|>=|!=|=|<|>)\s*(.+?)\s*")
_BARE_NUMBER = re.compile(r"\d+(-\d+)?")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")


def write_catalogue(
    path: Path, documents: Sequence[Document], progress: Progress = silent, packed: Mapping[str, bytes] = NOTHING
) -> None:
    """Writes all documents, in order; the position is what rankers number them by.

    `packed` are rows of another catalogue by id (`Catalogue.packed`): to pack them again would take a minute for 9,088
    judgments, and give the same bytes.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _SCHEMA)
            database.execute("BEGIN")
            for position, document in enumerate(documents):
                _insert(database, position, document, packed.get(document.id))
                progress(position + 1, len(documents))
            database.execute("COMMIT")
            database.executescript(_INDEXES)
    except sqlite3.OperationalError as error:
        raise OSError(errno.ENOSPC if "full" in str(error) else errno.EIO, str(error)) from error


def _insert(database: sqlite3.Connection, position: int, document: Document, packed: bytes | None) -> None:
    try:
        _insert_row(database, position, document, packed or _packed(document))
    except (UnicodeEncodeError, OverflowError) as error:
        raise InputError(
            f"document {document.id!r} cannot be stored: {error}", remedy="mend it and import it again"
        ) from error


def _packed(document: Document) -> bytes:
    return zlib.compress(dumps(document_row(document)).encode("utf-8"), 6)


def _insert_row(database: sqlite3.Connection, position: int, document: Document, packed: bytes) -> None:
    penalty = document.penalty
    columns = (document.court, document.level, document.region, document.date)
    sentence = (penalty.kind, penalty.months) if penalty else ("", None)
    database.execute(
        "INSERT INTO documents VALUES (?,?,?,?,?,?,?,?,?)", (position, document.id, packed, *columns, *sentence)
    )
    charges = [(position, charge) for charge in document.charges]
    articles = [(position, f"{cited.law}{cited.number}") for cited in document.articles]
    database.executemany("INSERT INTO charges VALUES (?,?)", charges)
    database.executemany("INSERT INTO articles VALUES (?,?)", articles)


class Catalogue:
    """Read-only view of the documents of an index."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise InputError("no such file", file=path, remedy="run lexgear check on the index")
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._database = sqlite3.connect(uri, uri=True, check_same_thread=False)

    def __len__(self) -> int:
        with self._reading():
            return int(self._database.execute("SELECT count(*) FROM documents").fetchone()[0])

    def close(self) -> None:
        """Lets go of the file."""
        self._database.close()

    def document(self, document_id: str) -> Document:
        """One document, whole."""
        with self._reading():
            query = "SELECT row FROM documents WHERE id = ?"
            found = self._database.execute(query, (document_id,)).fetchone()
            if found is None:
                raise InputError(f"the index has no document {document_id!r}")
            return document_from_row(json.loads(zlib.decompress(found[0])))

    def ids(self) -> tuple[str, ...]:
        """The ids of all documents, in order of position."""
        with self._reading():
            return tuple(name for (name,) in self._database.execute("SELECT id FROM documents ORDER BY position"))

    def documents(self) -> Iterator[Document]:
        """All documents, in order of position."""
        with self._reading():
            for (row,) in self._database.execute("SELECT row FROM documents ORDER BY position"):
                yield document_from_row(json.loads(zlib.decompress(row)))

    def packed(self) -> dict[str, bytes]:
        """The rows of all documents as they are stored, by id."""
        with self._reading():
            return dict(self._database.execute("SELECT id, row FROM documents"))

    def charges(self) -> dict[str, tuple[str, ...]]:
        """The charges of every document that has any."""
        found: dict[str, list[str]] = {}
        with self._reading():
            query = "SELECT id, charge FROM charges JOIN documents USING (position) ORDER BY charges.rowid"
            for name, charge in self._database.execute(query):
                found.setdefault(name, []).append(charge)
        return {name: tuple(charges) for name, charges in found.items()}

    def select(self, filters: Sequence[str]) -> set[str]:
        """Ids of the documents that pass every filter, such as `charge=盗窃罪`, `date>=2015-01`, `months<36`."""
        conditions, values = [], []
        for text in filters:
            name, operator, value = _understood(text)
            conditions.append(_condition(name, operator, value))
            values.append(self._official(value) if name == "charge" else value)
        where = " AND ".join(conditions) or "1"
        with self._reading():
            rows = self._database.execute(f"SELECT id FROM documents AS d WHERE {where}", values)
            return {name for (name,) in rows}

    def _official(self, charge: str) -> str:
        """A charge by the name it has in the index, or has officially."""
        with self._reading():
            query = "SELECT charge FROM charges WHERE charge = ? LIMIT 1"
            known = self._database.execute(query, (charge,)).fetchone()
        if official := charge if known else shipped_charges().official(charge):
            return official
        raise InputError(f"--filter: unknown charge {charge!r}", remedy="an official name, such as charge=盗窃罪")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, zlib.error, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise InputError("damaged", file=self.path, remedy="run lexgear check; build it again") from error


def _understood(text: str) -> tuple[str, str, str]:
    """Name, operator and value of a filter; what could never be meant is refused."""
    names = (*LISTS, *COLUMNS)
    match = _FILTER.fullmatch(text)
    if match is None or match[1] not in names or has_surrogate(text):
        raise InputError(
            f"--filter {text!r} is not understood", remedy=f"NAME=VALUE with NAME one of {', '.join(names)}"
        )
    name, operator, value = match.groups()
    if name not in ORDERED and operator not in {"=", "!="}:
        raise InputError(
            f"--filter {text!r}: {name} takes = or !=", remedy=f"{' and '.join(sorted(ORDERED))} take < too"
        )
    if name == "months" and not (value.isdecimal() and len(value) < 10):
        raise InputError(f"--filter {text!r}: months takes a whole number", remedy="such as 'months<36'")
    if name == "date" and not _is_date(value):
        raise InputError(f"--filter {text!r}: no such date", remedy="YYYY, YYYY-MM or YYYY-MM-DD")
    if name == "article" and _BARE_NUMBER.fullmatch(value):
        value = f"刑法{value}"
    return name, operator, value


def _condition(name: str, operator: str, value: str) -> str:
    if name in LISTS:
        inside = f"SELECT position FROM {LISTS[name]} WHERE {name} = ?"
        return f"d.position {'IN' if operator == '=' else 'NOT IN'} ({inside})"
    if name == "months":
        return f"d.months {operator} CAST(? AS INTEGER)"
    if name == "date":  # as far as it is written: date<=2015 takes in all of 2015
        return f"d.date <> '' AND substr(d.date, 1, {len(value)}) {operator} ?"
    return f"d.{name} <> '' AND d.{name} {operator} ?"


def _is_date(text: str) -> bool:
    try:
        return _DATE.fullmatch(text) is not None and bool(date.fromisoformat(f"{text}-01-01"[:10]))
    except ValueError:
        return False
