"""Writing of document catalogues: from documents, or from the catalogues of several segments."""

from __future__ import annotations

import errno
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType

from lexgear.corpus.authority import authority_of
from lexgear.corpus.extraction.factors.find import find_factors
from lexgear.corpus.json_rows import document_row
from lexgear.corpus.records import Document
from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps
from lexgear.index.catalogue import LATER_COLUMNS, Catalogue, StoredRow
from lexgear.index.filters import LISTS
from lexgear.index.grams import write_grams
from lexgear.progress import Progress, silent

_COLUMNS = "id, row, court, level, region, date, penalty, months"
_NO_ROWS: Mapping[str, StoredRow] = MappingProxyType({})

_SCHEMA = """
CREATE TABLE documents (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, row BLOB NOT NULL,
    court TEXT, level TEXT, region TEXT, date TEXT, penalty TEXT, months INTEGER,
    in_force_from TEXT, in_force_until TEXT, authority TEXT, node TEXT
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
CREATE INDEX date_of ON documents (date);
CREATE INDEX court_of ON documents (court);
CREATE INDEX months_of ON documents (months);
"""


def write_catalogue(
    path: Path, documents: Sequence[Document], progress: Progress = silent, rows: Mapping[str, StoredRow] = _NO_ROWS
) -> None:
    """Write all documents in order; rankers number documents by their position.

    `rows` are documents of another catalogue by id (`Catalogue.stored_rows`). Compressing 9,088 judgments again would
    take a minute and reading their factors twenty seconds, with the same result.
    """
    with _written(path) as database:
        for position, document in enumerate(documents):
            _insert(database, position, document, rows.get(document.id))
            progress(position + 1, len(documents))


@contextmanager
def _written(path: Path) -> Iterator[sqlite3.Connection]:
    """Create a catalogue and yield it, to be filled in one transaction."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _SCHEMA)
            database.execute("BEGIN")
            yield database
            write_grams(database)
            database.execute("COMMIT")
            database.executescript(_INDEXES)
    except sqlite3.OperationalError as error:
        raise OSError(errno.ENOSPC if "full" in str(error) else errno.EIO, str(error)) from error


def merge_catalogues(path: Path, catalogues: Sequence[Catalogue]) -> None:
    """Write the live documents of several catalogues in order, as they are stored."""
    with _written(path) as database:
        offset = 0
        for one in catalogues:
            offset += _copy(one, database, offset)


def _copy(catalogue: Catalogue, database: sqlite3.Connection, offset: int) -> int:
    """Copy the live documents of a catalogue to positions from `offset`; return their number."""
    if not catalogue.is_current:
        rows = catalogue.stored_rows()
        for position, document in enumerate(catalogue.documents(), start=offset):
            _insert(database, position, document, rows[document.id])
        return len(catalogue)
    new: dict[int, int] = {}
    for old, *row in catalogue.live_rows(f"position, {_COLUMNS}, {', '.join(LATER_COLUMNS)}"):
        new[old] = offset + len(new)
        database.execute("INSERT INTO documents VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", (new[old], *row))
    for name, table in LISTS.items():
        copied = ((new[old], value) for old, value in catalogue.live_values(name))
        database.executemany(f"INSERT INTO {table} VALUES (?,?)", copied)
    return len(new)


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
    later = (document.in_force_from, document.in_force_until, authority_of(document), document.node)
    sentence = (penalty.kind, penalty.months) if penalty else ("", None)
    database.execute(
        "INSERT INTO documents VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (position, document.id, row.compressed, *columns, *sentence, *later),
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
