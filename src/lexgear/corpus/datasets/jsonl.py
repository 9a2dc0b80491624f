"""Reader of user documents: JSON lines with `id` and `text`, or with the sections of a judgment."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from lexgear.corpus.datasets.reader import Record, UnusableError, find_file, iter_records, need_file, read_records
from lexgear.corpus.document_files import new_documents
from lexgear.corpus.extraction.missing_fields import fill_missing_fields
from lexgear.corpus.field_values import drop_invalid_values
from lexgear.corpus.json_rows import document_from_row, query_from_row
from lexgear.corpus.label_checks import keep_known_labels
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import read_law
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_jsonl
from lexgear.law.charges import shipped_charges
from lexgear.law.shipped import chinese_criminal_law
from lexgear.law.tree import LawNode, LawTree
from lexgear.progress import Progress
from lexgear.trec import read_labels

_LAYOUT = "write one JSON object per line, with `id` and `text`"
_OPTIONAL_FILES = ("law.json", "queries.jsonl", "qrels.trec")

ChargeResolver: TypeAlias = Callable[[str], str | None]
"""Function from a charge as written to its name in the law; None if the law has no such charge."""


def read_user_documents(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    """Read a file of documents, or a directory with `documents.jsonl`.

    The directory may also hold `queries.jsonl`, `qrels.trec` and `law.json`. Fields that a Chinese judgment lacks are
    extracted from its text.
    """
    file, law_file, query_file, label_file = source, None, None, None
    if source.is_dir():
        file = need_file(source, "documents.jsonl", "documents.jsonl.xz", remedy=_LAYOUT)
        law_file, query_file, label_file = (find_file(source, name) for name in _OPTIONAL_FILES)
    law = _with_charge_names(read_law(law_file)) if law_file else None
    resolve = charge_resolver(law or chinese_criminal_law())

    def query(record: Record) -> Query:
        found = query_from_row(record.row)
        return replace(found, charges=_resolve_charges(found.charges, resolve, record))

    make = _UserDocuments(law)
    new, letters = new_documents(), Letters()
    for document in iter_records(file, read_jsonl(file), make, skipped, progress=progress, parallel=True):
        letters.count(document.text)
        new.append(document)
    documents = new.finished()
    if not documents:
        raise InputError("the file has no usable documents", code=ErrorCode.FILE_MALFORMED, file=file, remedy=_LAYOUT)
    queries = read_records(query_file, read_jsonl(query_file), query, skipped) if query_file else ()
    qrels = {}
    if label_file:
        qrels = keep_known_labels(label_file, read_labels(label_file), queries, documents, skipped)
    language = "zh" if letters.are_chinese() else "fr"
    return Collection(
        name=source.name.split(".")[0],
        language=language,
        documents=documents,
        queries=queries,
        qrels=qrels,
        law=law or (chinese_criminal_law() if language == "zh" else LawTree()),
        source={"data set": "own documents", "file": file.name},
    )


class _UserDocuments:
    """Reads documents under a law; other processes get the law alone."""

    def __init__(self, law: LawTree | None) -> None:
        self.law = law
        self._resolve = charge_resolver(law or chinese_criminal_law())

    def __reduce__(self) -> tuple[type[_UserDocuments], tuple[LawTree | None]]:
        return type(self), (self.law,)

    def __call__(self, record: Record) -> Document:
        return read_user_document(record, self._resolve, self.law)


def is_chinese(texts: Iterable[str]) -> bool:
    """Return whether more than a fifth of the letters are Chinese characters; numbers and names may be Latin.

    >>> is_chinese(["被告人王某驾驶BMW X5轿车"]), is_chinese(["Le bail est résilié (voir 民法典)."])
    (True, False)
    """
    letters = Letters()
    for text in texts:
        letters.count(text)
    return letters.are_chinese()


class Letters:
    """Number of letters and of Chinese characters at the beginnings of texts."""

    def __init__(self) -> None:
        self._all = self._chinese = 0

    def count(self, text: str) -> None:
        """Add a text."""
        beginning = [sign for sign in text[:1000] if sign.isalpha()]
        self._all += len(beginning)
        self._chinese += sum("一" <= sign <= "鿿" for sign in beginning)

    def are_chinese(self) -> bool:
        """Return whether more than a fifth of the letters are Chinese characters."""
        return self._chinese * 5 > self._all


def read_user_document(record: Record, resolve: ChargeResolver, law: LawTree | None, *, fill: bool = True) -> Document:
    """Return the document of a line; with `fill`, missing fields of a Chinese judgment are extracted from its text."""
    row = drop_invalid_values(record)
    document = document_from_row(row)
    stripped = {name: part.strip() for name, part in document.sections.items()}
    document = replace(document, sections={name: part for name, part in stripped.items() if part})
    if not document.text:
        raise UnusableError("no text" if not stripped else "empty text")
    if document.node and (law is None or document.node not in law):
        raise UnusableError(f"the law has no node {document.node!r}")
    document = replace(document, charges=_resolve_charges(document.charges, resolve, record))
    if law is not None and document.node:
        document = _with_dates_in_force(document, law[document.node])
    if document.node or not fill or not is_chinese([document.text]):
        return document
    given = [name for name, value in row.items() if value is not None]
    filled = fill_missing_fields(document, given=given)
    return replace(filled, charges=tuple(charge for charge in filled.charges if resolve(charge)))


def _with_dates_in_force(document: Document, node: LawNode) -> Document:
    """Return an article with the dates of its law node, unless it has dates of its own."""
    if document.in_force_from or document.in_force_until:
        return document
    since, until = (str(day or "") for day in (node.in_force_from, node.in_force_until))
    return replace(document, in_force_from=since, in_force_until=until)


def _with_charge_names(law: LawTree) -> LawTree:
    """Return the law with the titles of charges as their numbers, where the package looks for their names."""
    return LawTree(
        {node.id: replace(node, number=node.title) if node.kind == "charge" and node.title else node for node in law}
    )


def charge_resolver(law: LawTree) -> ChargeResolver:
    """Return a function that finds the charges of a law by any of their names."""
    known = {node.number for node in law.of_kind("charge")}

    def resolve(written: str) -> str | None:
        official = written if written in known else shipped_charges().official(written)
        return official if official in known else None

    return resolve


def _resolve_charges(charges: Iterable[str], resolve: ChargeResolver, record: Record) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for written in charges:
        if name := resolve(written):
            names[name] = None
        else:
            record.skip(f"unknown charge {written!r}")
    return tuple(names)
