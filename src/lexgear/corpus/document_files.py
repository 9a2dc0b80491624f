"""Documents in a JSON lines file, which are read when they are used: a collection need not fit into memory."""

from __future__ import annotations

import json
import os
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from pathlib import Path
from typing import Protocol, overload

from lexgear.corpus.datasets.reader import UnusableError
from lexgear.corpus.json_rows import document_from_row, document_row
from lexgear.corpus.records import Document
from lexgear.errors import ErrorCode, InputError
from lexgear.files import dumps

DOCUMENTS_PER_BLOCK = 500
"""Documents that are read at once."""
NEW_DOCUMENTS = "read.{}.jsonl"
"""Names of the files that readers write."""


class DocumentFile(Sequence[Document]):
    """Documents of a file whose rows were checked; only where each row begins is held in memory.

    The file stays open, so that another collection that is moved to its path is not mixed with it.
    """

    def __init__(self, path: Path, starts: array[int], charged: int, ids: Sequence[str] | None = None) -> None:
        self.path, self.charged = path, charged
        self._starts, self._handle = starts, os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._handle)
        if ids is not None:
            self.ids = tuple(ids)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids of all documents, in order."""
        return tuple(document.id for document in self)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, at: int) -> Document: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Document, ...]: ...
    def __getitem__(self, at: int | slice) -> Document | tuple[Document, ...]:
        if isinstance(at, int):
            place = range(len(self))[at]
            return self._read(place, place + 1)[0]
        first, last, step = at.indices(len(self))
        return self._read(first, last) if step == 1 else tuple(self[place] for place in range(first, last, step))

    def __iter__(self) -> Iterator[Document]:
        for first in range(0, len(self), DOCUMENTS_PER_BLOCK):
            yield from self[first : first + DOCUMENTS_PER_BLOCK]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or len(self) != len(other):
            return NotImplemented
        return all(own == one for own, one in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def _read(self, first: int, last: int) -> tuple[Document, ...]:
        """Return the documents at positions from `first` to before `last`."""
        if first >= last:
            return ()
        start, end = self._starts[first], self._starts[last]
        data = os.pread(self._handle, end - start, start)
        bounds = [at - start for at in self._starts[first : last + 1]]
        try:
            rows = [json.loads(data[bounds[at] : bounds[at + 1]].decode("utf-8-sig")) for at in range(last - first)]
            return tuple(map(document_from_row, rows))
        except (ValueError, UnusableError) as error:
            raise InputError(
                "the documents have changed since the file was opened",
                code=ErrorCode.FILE_MALFORMED,
                file=self.path,
                remedy="import the data set again",
            ) from error


class MappedDocuments(Sequence[Document]):
    """The documents of a file as a function returns them, which is called whenever a document is used."""

    def __init__(self, documents: DocumentFile, function: Callable[[Document], Document]) -> None:
        self._documents, self._function = documents, function
        self.ids = documents.ids

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, at: int) -> Document: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Document, ...]: ...
    def __getitem__(self, at: int | slice) -> Document | tuple[Document, ...]:
        if isinstance(at, int):
            return self._function(self._documents[at])
        return tuple(map(self._function, self._documents[at]))

    def __iter__(self) -> Iterator[Document]:
        return map(self._function, self._documents)


class NewDocuments(Protocol):
    """Documents that a reader adds one by one."""

    def append(self, document: Document, /) -> None:
        """Add a document."""

    def finished(self) -> Sequence[Document]:
        """Return all documents."""


class _InMemory(list[Document]):
    """New documents in memory."""

    def finished(self) -> Sequence[Document]:
        """Return all documents."""
        return tuple(self)


class _OnDisk:
    """New documents that are written to a file as they come."""

    def __init__(self, path: Path) -> None:
        self._path, self._file = path, path.open("wb")
        self._starts, self._charged = array("q", [0]), 0

    def append(self, document: Document) -> None:
        """Write a document."""
        row = document_line(document)
        self._file.write(row)
        self._starts.append(self._starts[-1] + len(row))
        self._charged += bool(document.charges)

    def finished(self) -> Sequence[Document]:
        """Return all documents."""
        self.close()
        return DocumentFile(self._path, self._starts, self._charged)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


_NEW: ContextVar[Callable[[], NewDocuments]] = ContextVar("new_documents", default=_InMemory)


def new_documents() -> NewDocuments:
    """Return where a reader of a large data set puts its documents: in memory, or in a file within `documents_in`."""
    return _NEW.get()()


@contextmanager
def documents_in(directory: Path) -> Iterator[None]:
    """Let readers write documents to files of a directory within the block."""
    made: list[_OnDisk] = []

    def new() -> NewDocuments:
        made.append(_OnDisk(directory / NEW_DOCUMENTS.format(len(made))))
        return made[-1]

    token = _NEW.set(new)
    try:
        yield
    finally:
        _NEW.reset(token)
        for one in made:
            one.close()


def document_line(document: Document) -> bytes:
    """Return a document as a line of a JSON lines file."""
    return f"{dumps(document_row(document))}\n".encode()


def mapped(documents: Sequence[Document], function: Callable[[Document], Document]) -> Sequence[Document]:
    """Return what a function makes of each document: now, or for documents in a file whenever one is used."""
    if isinstance(documents, DocumentFile):
        return MappedDocuments(documents, function)
    return tuple(map(function, documents))


def is_on_disk(documents: Sequence[Document]) -> bool:
    """Return whether documents are read from a file whenever they are used."""
    return isinstance(documents, DocumentFile | MappedDocuments)


def ids_of(documents: Sequence[Document]) -> Sequence[str]:
    """Return the ids of documents without reading the texts of those in a file."""
    if isinstance(documents, DocumentFile | MappedDocuments):
        return documents.ids
    return tuple(document.id for document in documents)


def count_charged(documents: Sequence[Document]) -> int:
    """Return the number of documents that have a charge."""
    if isinstance(documents, DocumentFile):
        return documents.charged
    return sum(bool(document.charges) for document in documents)


def in_order(documents: Sequence[Document], names: Iterable[str]) -> list[Document]:
    """Return the documents with some ids, in the order of the collection."""
    wanted = set(names)
    return [documents[at] for at, name in enumerate(ids_of(documents)) if name in wanted]
