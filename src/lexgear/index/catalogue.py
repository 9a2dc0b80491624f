"""Document catalogue of an index: one SQLite file with compressed documents and columns to filter by."""

from __future__ import annotations

import errno
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from lexgear.corpus.extraction.factors.find import find_factors
from lexgear.corpus.json_rows import document_from_row, document_row
from lexgear.corpus.records import Document
from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps
from lexgear.index.filters import IN_FORCE, parse_filter
from lexgear.law.charges import shipped_charges
from lexgear.progress import Progress, silent

PART = "catalogue.sqlite"


class StoredRow(NamedTuple):
    """A document as it is stored in a catalogue."""

    compressed: bytes
    factors: tuple[str, ...] | None
    """Names of its factors; None if an earlier version wrote the catalogue."""


_NO_ROWS: Mapping[str, StoredRow] = MappingProxyType({})

_SCHEMA = """
CREATE TABLE documents (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, row BLOB NOT NULL,
    court TEXT, level TEXT, region TEXT, date TEXT, penalty TEXT, months INTEGER,
    in_force_from TEXT, in_force_until TEXT
);
CREATE TABLE charges (position INTEGER NOT NULL, charge TEXT NOT NULL);
CREATE TABLE articles (position INTEGER NOT NULL, article TEXT NOT NULL);
CREATE TABLE factors (position INTEGER NOT NULL, factor TEXT NOT NULL);
"""
_INDEXES = """
CREATE INDEX charge_of ON charges (charge, position);
CREATE INDEX article_of ON articles (article, position);
CREATE INDEX factor_of ON factors (factor, position);
"""


def write_catalogue(
    path: Path, documents: Sequence[Document], progress: Progress = silent, rows: Mapping[str, StoredRow] = _NO_ROWS
) -> None:
    """Write all documents in order; rankers number documents by their position.

    `rows` are documents of another catalogue by id (`Catalogue.stored_rows`). Compressing 9,088 judgments again would
    take a minute and reading their factors twenty seconds, with the same result.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _SCHEMA)
            database.execute("BEGIN")
            for position, document in enumerate(documents):
                _insert(database, position, document, rows.get(document.id))
                progress(position + 1, len(documents))
            database.execute("COMMIT")
            database.executescript(_INDEXES)
    except sqlite3.OperationalError as error:
        raise OSError(errno.ENOSPC if "full" in str(error) else errno.EIO, str(error)) from error


def _insert(database: sqlite3.Connection, position: int, document: Document, row: StoredRow | None) -> None:
    try:
        _insert_row(database, position, document, row or StoredRow(_compressed(document), None))
    except sqlite3.IntegrityError as error:
        raise InputError(
            f"two documents have the id {document.id!r}",
            code=ErrorCode.DUPLICATE_ID,
            remedy="give every document its own id",
            id=document.id,
        ) from error
    except (UnicodeEncodeError, OverflowError) as error:
        raise InputError(
            f"document {document.id!r} cannot be stored: {error}",
            code=ErrorCode.RECORD_INVALID,
            remedy="correct the document and import it again",
            id=document.id,
        ) from error


def _compressed(document: Document) -> bytes:
    return zlib.compress(dumps(document_row(document)).encode("utf-8"), 6)


def _insert_row(database: sqlite3.Connection, position: int, document: Document, row: StoredRow) -> None:
    penalty = document.penalty
    columns = (document.court, document.level, document.region, document.date)
    in_force = (document.in_force_from, document.in_force_until)
    sentence = (penalty.kind, penalty.months) if penalty else ("", None)
    database.execute(
        "INSERT INTO documents VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        (position, document.id, row.compressed, *columns, *sentence, *in_force),
    )
    charges = [(position, charge) for charge in document.charges]
    articles = [(position, f"{cited.law}{cited.number}") for cited in document.articles]
    factors = [(position, name) for name in (_factors(document) if row.factors is None else row.factors)]
    database.executemany("INSERT INTO charges VALUES (?,?)", charges)
    database.executemany("INSERT INTO articles VALUES (?,?)", articles)
    database.executemany("INSERT INTO factors VALUES (?,?)", factors)


def _factors(document: Document) -> Iterable[str]:
    """Return the names of the factors of a judgment; a statutory article has none."""
    return () if document.node else dict.fromkeys(factor.name for factor in find_factors(document.sections))


class Catalogue:
    """Document catalogue, opened for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise InputError(
                "the document catalogue is missing",
                code=ErrorCode.INDEX_DAMAGED,
                file=path,
                remedy="build the index again",
            )
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._database = sqlite3.connect(uri, uri=True, check_same_thread=False)

    def __len__(self) -> int:
        with self._reading():
            return int(self._database.execute("SELECT count(*) FROM documents").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def document(self, document_id: str) -> Document:
        """Return a document by its id."""
        with self._reading():
            query = "SELECT row FROM documents WHERE id = ?"
            found = self._database.execute(query, (document_id,)).fetchone()
            if found is None:
                raise InputError(
                    f"the index has no document {document_id!r}", code=ErrorCode.UNKNOWN_DOCUMENT, id=document_id
                )
            return document_from_row(json.loads(zlib.decompress(found[0])))

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all documents, in order of position."""
        with self._reading():
            return tuple(name for (name,) in self._database.execute("SELECT id FROM documents ORDER BY position"))

    def documents(self) -> Iterator[Document]:
        """Yield all documents, in order of position."""
        with self._reading():
            for (row,) in self._database.execute("SELECT row FROM documents ORDER BY position"):
                yield document_from_row(json.loads(zlib.decompress(row)))

    def stored_rows(self) -> dict[str, StoredRow]:
        """Return all documents by id, as they are stored."""
        factors: dict[int, list[str]] = {}
        has_factors = self._has_factors()
        with self._reading():
            if has_factors:
                for position, name in self._database.execute("SELECT position, factor FROM factors ORDER BY rowid"):
                    factors.setdefault(position, []).append(name)
            rows = self._database.execute("SELECT position, id, row FROM documents")
            return {
                name: StoredRow(row, tuple(factors.get(position, ())) if has_factors else None)
                for position, name, row in rows
            }

    def factor_counts(self) -> dict[str, int]:
        """Return the number of documents per factor, most frequent first; empty if an earlier version wrote it."""
        if not self._has_factors():
            return {}
        with self._reading():
            query = "SELECT factor, count(*) FROM factors GROUP BY factor ORDER BY count(*) DESC, factor"
            return dict(self._database.execute(query).fetchall())

    def charges(self) -> dict[str, tuple[str, ...]]:
        """Return the charges of every document that has any, by document id."""
        found: dict[str, list[str]] = {}
        with self._reading():
            query = "SELECT id, charge FROM charges JOIN documents USING (position) ORDER BY charges.rowid"
            for name, charge in self._database.execute(query):
                found.setdefault(name, []).append(charge)
        return {name: tuple(charges) for name, charges in found.items()}

    def select(self, filters: Sequence[str]) -> set[str]:
        """Return the ids of the documents that pass every filter, such as `charge=盗窃罪` or `date>=2015-01`."""
        parsed = [parse_filter(text) for text in filters]
        if any(one.name == "factor" for one in parsed) and not self._has_factors():
            raise InputError(
                "filter: the index was built by an earlier version, without factors",
                code=ErrorCode.INVALID_FILTER,
                file=self.path,
                remedy="build the index again to filter by factor",
            )
        if not self._has_dates_in_force():  # then no document has such dates, and all of them pass
            parsed = [one for one in parsed if one.name != IN_FORCE]
        where = " AND ".join(one.condition for one in parsed) or "1"
        values = [self._official_charge(one.value) if one.name == "charge" else one.value for one in parsed]
        with self._reading():
            rows = self._database.execute(f"SELECT id FROM documents AS d WHERE {where}", values)
            return {name for (name,) in rows}

    def _has_factors(self) -> bool:
        """Return False if an earlier version wrote the catalogue, without factors."""
        with self._reading():
            query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'factors'"
            return self._database.execute(query).fetchone() is not None

    def _has_dates_in_force(self) -> bool:
        """Return False if an earlier version wrote the catalogue, without the dates of articles."""
        with self._reading():
            query = "SELECT 1 FROM pragma_table_info('documents') WHERE name = 'in_force_from'"
            return self._database.execute(query).fetchone() is not None

    def _official_charge(self, charge: str) -> str:
        """Return the name of a charge in this index, or else its official name."""
        with self._reading():
            query = "SELECT charge FROM charges WHERE charge = ? LIMIT 1"
            known = self._database.execute(query, (charge,)).fetchone()
        if official := charge if known else shipped_charges().official(charge):
            return official
        raise InputError(
            f"filter: unknown charge {charge!r}",
            code=ErrorCode.UNKNOWN_CHARGE,
            remedy="use an official name, such as charge=盗窃罪",
            charge=charge,
        )

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Raise `InputError` for errors that only a damaged file causes."""
        try:
            yield
        except (sqlite3.DatabaseError, zlib.error, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise InputError(
                "the document catalogue is damaged",
                code=ErrorCode.INDEX_DAMAGED,
                file=self.path,
                remedy="build the index again",
            ) from error
