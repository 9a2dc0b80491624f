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

from lexgear.corpus.authority import authority_of
from lexgear.corpus.extraction.court_hierarchy import AT_LEAST_OWN, relation_of
from lexgear.corpus.extraction.factors.find import find_factors
from lexgear.corpus.json_rows import document_from_row, document_row
from lexgear.corpus.records import Document
from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps
from lexgear.index.filters import COURTS, IN_FORCE, LISTS, Filter, parse_filter
from lexgear.index.text_search import TextSearch
from lexgear.law.charges import shipped_charges
from lexgear.progress import Progress, silent

PART = "catalogue.sqlite"


class StoredRow(NamedTuple):
    """A document as it is stored in a catalogue."""

    compressed: bytes
    factors: tuple[str, ...] | None
    """Names of its factors; None if an earlier version wrote the catalogue."""


class DocumentColumns(NamedTuple):
    """Columns of a document, to count and to sort by; texts are empty if unknown."""

    id: str
    court: str
    level: str
    region: str
    date: str
    penalty: str
    months: int | None
    authority: str
    charges: tuple[str, ...]
    articles: tuple[str, ...]
    factors: tuple[str, ...]


_NO_ROWS: Mapping[str, StoredRow] = MappingProxyType({})

_SCHEMA = """
CREATE TABLE documents (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, row BLOB NOT NULL,
    court TEXT, level TEXT, region TEXT, date TEXT, penalty TEXT, months INTEGER,
    in_force_from TEXT, in_force_until TEXT, authority TEXT
);
CREATE TABLE charges (position INTEGER NOT NULL, charge TEXT NOT NULL);
CREATE TABLE articles (position INTEGER NOT NULL, article TEXT NOT NULL);
CREATE TABLE factors (position INTEGER NOT NULL, factor TEXT NOT NULL);
"""
_INDEXES = """
CREATE INDEX charge_of ON charges (charge, position);
CREATE INDEX article_of ON articles (article, position);
CREATE INDEX factor_of ON factors (factor, position);
CREATE INDEX charges_at ON charges (position);
CREATE INDEX articles_at ON articles (position);
CREATE INDEX factors_at ON factors (position);
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
    in_force = (document.in_force_from, document.in_force_until, authority_of(document))
    sentence = (penalty.kind, penalty.months) if penalty else ("", None)
    database.execute(
        "INSERT INTO documents VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
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
        self._text = TextSearch(self._database)

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
        """Return the ids of the documents that pass every filter, such as `charge=盗窃罪|抢劫罪` or `date>=2015-01`."""
        parsed = [self._known(parse_filter(text)) for text in filters]
        if not self._has_column("in_force_from"):  # then no document has such dates, and all of them pass
            parsed = [one for one in parsed if one.name != IN_FORCE]
        in_sql = [one for one in parsed if one.in_sql]
        where = " AND ".join(one.condition for one in in_sql) or "1"
        values = [value for one in in_sql for value in one.parameters]
        with self._reading():
            rows = self._database.execute(f"SELECT id FROM documents AS d WHERE {where}", values)
            found = {name for (name,) in rows}
            for one in (one for one in parsed if not one.in_sql):
                select = self._at_courts if one.name == COURTS else self._text.containing
                named = set().union(*(select(value) for value in one.values))
                found = found & named if one.operator == "=" else found - named
        return found

    def columns(self, ids: Sequence[str]) -> list[DocumentColumns]:
        """Return the columns of several documents, in the order of the ids, without reading the documents."""
        authority = "authority" if self._has_column("authority") else "''"
        named = f"position, id, court, level, region, date, penalty, months, {authority}"
        marks = ",".join("?" * len(ids))
        with self._reading():
            rows = self._database.execute(f"SELECT {named} FROM documents WHERE id IN ({marks})", list(ids)).fetchall()
            lists = {name: self._listed(name, [row[0] for row in rows]) for name in LISTS}
        known = {
            row[1]: DocumentColumns(*row[1:], *(tuple(lists[name].get(row[0], ())) for name in LISTS)) for row in rows
        }
        return [known[name] for name in ids if name in known]

    def _listed(self, name: str, positions: Sequence[int]) -> dict[int, list[str]]:
        """Return the charges, articles or factors of documents, by position."""
        found: dict[int, list[str]] = {}
        if name != "factor" or self._has_factors():
            marks, table = ",".join("?" * len(positions)), LISTS[name]
            query = f"SELECT position, {name} FROM {table} WHERE position IN ({marks}) ORDER BY rowid"
            for position, value in self._database.execute(query, list(positions)):
                found.setdefault(position, []).append(value)
        return found

    def _at_courts(self, pending: str) -> set[str]:
        """Return the documents of a court and of those above it, as far as the names of the courts tell."""
        query = "SELECT DISTINCT court, level, region FROM documents WHERE court <> ''"
        courts = self._database.execute(query).fetchall()
        chosen = {
            court for court, level, region in courts if relation_of(court, level, region, pending) in AT_LEAST_OWN
        }
        rows = self._database.execute("SELECT id, court FROM documents WHERE court <> ''")
        return {name for name, court in rows if court in chosen}

    def _known(self, one: Filter) -> Filter:
        """Return a filter with official names of charges; raise `InputError` if the catalogue lacks its column."""
        if (one.name == "factor" and not self._has_factors()) or (
            one.name == "authority" and not self._has_column("authority")
        ):
            plural = {"factor": "factors", "authority": "authorities"}[one.name]
            raise InputError(
                f"filter: the index was built by an earlier version, without {plural}",
                code=ErrorCode.INVALID_FILTER,
                file=self.path,
                remedy=f"build the index again to filter by {one.name}",
            )
        return one._replace(values=tuple(map(self._official_charge, one.values))) if one.name == "charge" else one

    def _has_factors(self) -> bool:
        """Return False if an earlier version wrote the catalogue, without factors."""
        with self._reading():
            query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'factors'"
            return self._database.execute(query).fetchone() is not None

    def _has_column(self, name: str) -> bool:
        """Return False if an earlier version wrote the catalogue, without a column."""
        with self._reading():
            query = "SELECT 1 FROM pragma_table_info('documents') WHERE name = ?"
            return self._database.execute(query, (name,)).fetchone() is not None

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
