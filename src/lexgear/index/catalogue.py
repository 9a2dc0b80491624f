"""Document catalogue of an index: one SQLite file with compressed documents and columns to filter by."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lexgear.corpus.extraction.court_hierarchy import AT_LEAST_OWN, relation_of
from lexgear.corpus.json_rows import document_from_row
from lexgear.corpus.records import Document
from lexgear.errors import ErrorCode, InputError
from lexgear.index.filters import COURTS, IN_FORCE, LISTS, Filter, parse_filter
from lexgear.index.text_search import TextSearch
from lexgear.index.untrusted import check_schema, unpack_row
from lexgear.law.charges import shipped_charges

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


LATER_COLUMNS = ("in_force_from", "in_force_until", "authority", "node")
"""Columns that catalogues of earlier versions do not have."""


class Catalogue:
    """Document catalogue, opened for reading."""

    def __init__(self, path: Path, removed: Sequence[int] = ()) -> None:
        self.path, self.removed = path, frozenset(removed)
        """Positions of documents that were removed since: they are not returned."""
        if not path.is_file():
            raise InputError(
                "the document catalogue is missing",
                code=ErrorCode.INDEX_DAMAGED,
                file=path,
                remedy="build the index again",
            )
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._database = sqlite3.connect(uri, uri=True, check_same_thread=False)
        with self._reading():
            check_schema(self._database)
        self._text = TextSearch(self._database)
        self._live = "position NOT IN (SELECT position FROM removed)" if self.removed else "1"
        if self.removed:
            self._database.execute("CREATE TEMP TABLE removed (position INTEGER PRIMARY KEY)")
            self._database.executemany("INSERT INTO removed VALUES (?)", [(one,) for one in sorted(self.removed)])

    def __len__(self) -> int:
        return self.size - len(self.removed)

    @cached_property
    def size(self) -> int:
        """Number of documents, removed or not."""
        with self._reading():
            return int(self._database.execute("SELECT count(*) FROM documents").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def find(self, document_id: str) -> Document | None:
        """Return a document by its id, or None if it is not there."""
        with self._reading():
            query = f"SELECT row FROM documents WHERE id = ? AND {self._live}"
            found = self._database.execute(query, (document_id,)).fetchone()
            return None if found is None else document_from_row(json.loads(unpack_row(found[0])))

    def positions(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the positions of the documents that are there, by id."""
        with self._reading():
            query = f"SELECT position FROM documents WHERE id = ? AND {self._live}"
            rows = {name: self._database.execute(query, (name,)).fetchone() for name in ids}
        return {name: row[0] for name, row in rows.items() if row is not None}

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all documents, in order of position."""
        with self._reading():
            query = f"SELECT id FROM documents WHERE {self._live} ORDER BY position"
            return tuple(name for (name,) in self._database.execute(query))

    def all_ids(self) -> tuple[str, ...]:
        """Return the ids of all documents, removed or not, in order of position."""
        with self._reading():
            return tuple(name for (name,) in self._database.execute("SELECT id FROM documents ORDER BY position"))

    def documents(self) -> Iterator[Document]:
        """Yield all documents, in order of position."""
        with self._reading():
            for (row,) in self._database.execute(f"SELECT row FROM documents WHERE {self._live} ORDER BY position"):
                yield document_from_row(json.loads(unpack_row(row)))

    def stored_rows(self) -> dict[str, StoredRow]:
        """Return all documents by id, as they are stored."""
        factors: dict[int, list[str]] = {}
        has_factors = self._has_factors()
        with self._reading():
            if has_factors:
                for position, name in self._database.execute("SELECT position, factor FROM factors ORDER BY rowid"):
                    factors.setdefault(position, []).append(name)
            rows = self._database.execute(f"SELECT position, id, row FROM documents WHERE {self._live}")
            return {
                name: StoredRow(row, tuple(factors.get(position, ())) if has_factors else None)
                for position, name, row in rows
            }

    @property
    def is_current(self) -> bool:
        """False if an earlier version wrote the catalogue, without some columns."""
        return all(map(self._has_column, LATER_COLUMNS)) and self._has_factors()

    def live_rows(self, columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield some columns of all documents, in order of position."""
        with self._reading():
            yield from self._database.execute(f"SELECT {columns} FROM documents WHERE {self._live} ORDER BY position")

    def live_values(self, name: str) -> Iterator[tuple[int, str]]:
        """Yield positions of documents with their charges, articles or factors."""
        with self._reading():
            query = f"SELECT position, {name} FROM {LISTS[name]} WHERE {self._live} ORDER BY rowid"
            yield from self._database.execute(query)

    def counts(self, name: str) -> dict[str, int]:
        """Return the number of documents per charge, level or other value to filter by; dates are counted by year.

        There are no factors if an earlier version wrote the catalogue.
        """
        if name == "factor" and not self._has_factors():
            return {}
        counted, table = ("count(DISTINCT position)", LISTS[name]) if name in LISTS else ("count(*)", "documents")
        value = "substr(date, 1, 4)" if name == "date" else name
        with self._reading():
            query = f"SELECT {value}, {counted} FROM {table} WHERE {name} <> '' AND {self._live} GROUP BY 1"
            return dict(self._database.execute(query).fetchall())

    def nodes(self) -> dict[str, str]:
        """Return the law node of every statutory article, by document id."""
        if not self._has_column("node"):
            return {document.id: document.node for document in self.documents() if document.node}
        with self._reading():
            query = f"SELECT id, node FROM documents WHERE node <> '' AND {self._live}"
            return dict(self._database.execute(query).fetchall())

    def charges(self) -> dict[str, tuple[str, ...]]:
        """Return the charges of every document that has any, by document id."""
        found: dict[str, list[str]] = {}
        with self._reading():
            tables = "charges JOIN documents USING (position)"
            query = f"SELECT id, charge FROM {tables} WHERE {self._live} ORDER BY charges.rowid"
            for name, charge in self._database.execute(query):
                found.setdefault(name, []).append(charge)
        return {name: tuple(charges) for name, charges in found.items()}

    def passing(self, filters: Sequence[str], siblings: Sequence[Catalogue] = ()) -> NDArray[np.int64]:
        """Return the positions of the documents that pass every filter, such as `charge=盗窃罪|抢劫罪`.

        `siblings` are the catalogues of other segments, which may know a charge that this one does not.
        """
        parsed = [self._known(parse_filter(text), siblings) for text in filters]
        if not self._has_column("in_force_from"):  # then no document has such dates, and all of them pass
            parsed = [one for one in parsed if one.name != IN_FORCE]
        in_sql = [one for one in parsed if one.in_sql]
        where = " AND ".join([self._live, *(one.condition for one in in_sql)])
        values = [value for one in in_sql for value in one.parameters]
        with self._reading():
            # One text for all positions: a million rows would take four times as long.
            query = f"SELECT group_concat(position) FROM documents AS d WHERE {where}"
            [(joined,)] = self._database.execute(query, values)
            found = np.fromstring(joined or "", dtype=np.int64, sep=",")
            for one in (one for one in parsed if not one.in_sql):
                select = self._at_courts if one.name == COURTS else self._text.containing
                named = np.array(sorted(set().union(*(select(value) for value in one.values))), dtype=np.int64)
                found = found[np.isin(found, named, invert=one.operator != "=")]
        return found

    def select(self, filters: Sequence[str]) -> set[str]:
        """Return the ids of the documents that pass every filter."""
        ids = self.all_ids()
        return {ids[position] for position in self.passing(filters).tolist()}

    def columns(self, ids: Sequence[str]) -> list[DocumentColumns]:
        """Return the columns of several documents, in the order of the ids, without reading the documents."""
        authority = "authority" if self._has_column("authority") else "''"
        named = f"position, id, court, level, region, date, penalty, months, {authority}"
        marks = ",".join("?" * len(ids))
        with self._reading():
            query = f"SELECT {named} FROM documents WHERE id IN ({marks}) AND {self._live}"
            rows = self._database.execute(query, list(ids)).fetchall()
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

    def _at_courts(self, pending: str) -> set[int]:
        """Return the documents of a court and of those above it, as far as the names of the courts tell."""
        query = "SELECT DISTINCT court, level, region FROM documents WHERE court <> ''"
        courts = self._database.execute(query).fetchall()
        chosen = {
            court for court, level, region in courts if relation_of(court, level, region, pending) in AT_LEAST_OWN
        }
        rows = self._database.execute("SELECT position, court FROM documents WHERE court <> ''")
        return {position for position, court in rows if court in chosen}

    def _known(self, one: Filter, siblings: Sequence[Catalogue]) -> Filter:
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
        if one.name != "charge":
            return one
        return one._replace(values=tuple(self._official_charge(value, siblings) for value in one.values))

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

    def _has_charge(self, charge: str) -> bool:
        with self._reading():
            query = "SELECT 1 FROM charges WHERE charge = ? LIMIT 1"
            return self._database.execute(query, (charge,)).fetchone() is not None

    def _official_charge(self, charge: str, siblings: Sequence[Catalogue]) -> str:
        """Return the name of a charge in this index, or else its official name."""
        known = any(one._has_charge(charge) for one in (self, *siblings))
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
        except (sqlite3.DatabaseError, zlib.error, ValueError, LookupError, TypeError, AttributeError) as error:
            raise InputError(
                "the document catalogue is damaged",
                code=ErrorCode.INDEX_DAMAGED,
                file=self.path,
                remedy="build the index again",
            ) from error
