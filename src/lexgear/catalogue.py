"""The documents of an index in one SQLite file: compressed texts, and columns to filter by."""

from __future__ import annotations

import errno
import json
import re
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from lexgear.corpus.records import Document
from lexgear.corpus.store import document_from_row, document_row
from lexgear.errors import InputError
from lexgear.files import dumps
from lexgear.progress import Progress, silent

PART = "catalogue.sqlite"

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
CREATE INDEX date_of ON documents (date);
"""

COLUMNS = ("court", "level", "region", "date", "penalty", "months")
LISTS = {"charge": "charges", "article": "articles"}
_FILTER = re.compile(r"\s*(\w+)\s*(<=|>=|!=|=|<|>)\s*(.+?)\s*")


def write_catalogue(path: Path, documents: Sequence[Document], progress: Progress = silent) -> None:
    """Writes all documents, in order; the position is what rankers number them by."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _SCHEMA)
            database.execute("BEGIN")
            for position, document in enumerate(documents):
                _insert(database, position, document)
                progress(position + 1, len(documents))
            database.execute("COMMIT")
            database.executescript(_INDEXES)
    except sqlite3.OperationalError as error:
        raise OSError(errno.ENOSPC if "full" in str(error) else errno.EIO, str(error)) from error


def _insert(database: sqlite3.Connection, position: int, document: Document) -> None:
    packed = zlib.compress(dumps(document_row(document)).encode("utf-8"), 6)
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

    def documents(self) -> Iterator[Document]:
        """All documents, in order of position."""
        with self._reading():
            for (row,) in self._database.execute("SELECT row FROM documents ORDER BY position"):
                yield document_from_row(json.loads(zlib.decompress(row)))

    def charges(self) -> dict[str, tuple[str, ...]]:
        """The charges of every document that has any."""
        found: dict[str, list[str]] = {}
        with self._reading():
            query = "SELECT id, charge FROM charges JOIN documents USING (position) ORDER BY charges.rowid"
            for name, charge in self._database.execute(query):
                found.setdefault(name, []).append(charge)
        return {name: tuple(charges) for name, charges in found.items()}

    def select(self, filters: Sequence[str]) -> set[str]:
        """Ids of the documents that pass every filter, such as `charge=盗窃罪`, `date>=2015-01-01`, `months<36`."""
        conditions, values = [], []
        for text in filters:
            condition, value = _condition(text)
            conditions.append(condition)
            values.append(value)
        where = " AND ".join(conditions) or "1"
        with self._reading():
            rows = self._database.execute(f"SELECT id FROM documents AS d WHERE {where}", values)
            return {name for (name,) in rows}

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, zlib.error, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise InputError("damaged", file=self.path, remedy="run lexgear check; build it again") from error


def _condition(text: str) -> tuple[str, str | int]:
    names = (*LISTS, *COLUMNS)
    match = _FILTER.fullmatch(text)
    if match is None or match[1] not in names:
        raise InputError(
            f"--filter {text!r} is not understood", remedy=f"NAME=VALUE with NAME one of {', '.join(names)}"
        )
    name, operator, value = match.groups()
    if name in LISTS:
        if operator not in {"=", "!="}:
            raise InputError(f"--filter {text!r}: {name} takes = or !=")
        inside = f"SELECT position FROM {LISTS[name]} WHERE {name} = ?"
        return f"d.position {'IN' if operator == '=' else 'NOT IN'} ({inside})", value
    if name == "months":
        if not value.isdecimal():
            raise InputError(f"--filter {text!r}: months takes a whole number")
        return f"d.months {operator} ?", int(value)
    return f"d.{name} <> '' AND d.{name} {operator} ?", value
