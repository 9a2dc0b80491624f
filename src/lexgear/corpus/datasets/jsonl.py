"""A user's own cases: JSON lines with `id` and `text`, or with the parts of a judgment."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from lexgear.corpus.datasets.reader import Record, UnusableError, need_file, read_records
from lexgear.corpus.extraction.missing_fields import fill_in
from lexgear.corpus.field_values import drop_invalid_values
from lexgear.corpus.json_rows import document_from_row, query_from_row
from lexgear.corpus.label_checks import keep_known_labels
from lexgear.corpus.records import Collection, Document, Query
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.corpus.store import read_law
from lexgear.errors import InputError
from lexgear.files import read_jsonl
from lexgear.law.charges import shipped_charges
from lexgear.law.shipped import chinese_criminal_law
from lexgear.law.tree import LawTree
from lexgear.progress import Progress
from lexgear.trec import read_labels

_LAYOUT = "one JSON object a line, with `id` and `text`"

ChargeResolver: TypeAlias = Callable[[str], str | None]
"""From a charge as somebody writes it to its name in the law; None where the law has no such charge."""


def read_user_documents(source: Path, skipped: SkippedRecords, progress: Progress) -> Collection:
    """Reads a file of documents, or a directory with `documents.jsonl`.

    Beside it there may be `queries.jsonl`, `qrels.trec` and `law.json`. What a Chinese judgment does not say
    in fields of its own is read out of its text.
    """
    file, folder = source, source.parent
    if source.is_dir():
        file, folder = need_file(source, "documents.jsonl", "documents.jsonl.xz", remedy=_LAYOUT), source
    beside = source.is_dir()
    law = _by_name(read_law(folder / "law.json")) if beside and (folder / "law.json").exists() else None
    naming = charge_resolver(law or chinese_criminal_law())

    def document(record: Record) -> Document:
        return read_user_document(record, naming, law)

    def query(record: Record) -> Query:
        found = query_from_row(record.row)
        return replace(found, charges=_named(found.charges, naming, record))

    documents = read_records(file, read_jsonl(file), document, skipped, progress=progress)
    if not documents:
        raise InputError("no usable document in it", file=file, remedy=_LAYOUT)
    asked, labels = folder / "queries.jsonl", folder / "qrels.trec"
    queries = read_records(asked, read_jsonl(asked), query, skipped) if beside and asked.exists() else ()
    qrels = {}
    if beside and labels.exists():
        qrels = keep_known_labels(labels, read_labels(labels), queries, documents, skipped)
    language = "zh" if all_chinese(document.text for document in documents) else "fr"
    return Collection(
        name=source.name.split(".")[0],
        language=language,
        documents=documents,
        queries=queries,
        qrels=qrels,
        law=law or (chinese_criminal_law() if language == "zh" else LawTree()),
        source={"data set": "own documents", "file": file.name},
    )


def all_chinese(texts: Iterable[str]) -> bool:
    """Whether more than a fifth of the letters are Chinese characters: numbers and names may be Latin.

    >>> all_chinese(["被告人王某驾驶BMW X5轿车"]), all_chinese(["Le bail est résilié (voir 民法典)."])
    (True, False)
    """
    letters = chinese = 0
    for text in texts:
        beginning = [sign for sign in text[:1000] if sign.isalpha()]
        letters += len(beginning)
        chinese += sum("一" <= sign <= "鿿" for sign in beginning)
    return chinese * 5 > letters


def read_user_document(record: Record, naming: ChargeResolver, law: LawTree | None, *, fill: bool = True) -> Document:
    """The document of a user's line; with `fill`, what a Chinese judgment does not say in fields is read out of it."""
    row = drop_invalid_values(record)
    document = document_from_row(row)
    stripped = {name: part.strip() for name, part in document.sections.items()}
    document = replace(document, sections={name: part for name, part in stripped.items() if part})
    if not document.text:
        raise UnusableError("no text" if not stripped else "empty text")
    if document.node and (law is None or document.node not in law):
        raise UnusableError(f"the law has no node {document.node!r}")
    document = replace(document, charges=_named(document.charges, naming, record))
    if document.node or not fill or not all_chinese([document.text]):
        return document
    given = [name for name, value in row.items() if value is not None]
    filled = fill_in(document, given=given)
    return replace(filled, charges=tuple(charge for charge in filled.charges if naming(charge)))


def _by_name(law: LawTree) -> LawTree:
    """A charge goes by the name it has in place of a number, so a title that a user gave it is put there."""
    return LawTree(
        {node.id: replace(node, number=node.title) if node.kind == "charge" and node.title else node for node in law}
    )


def charge_resolver(law: LawTree) -> ChargeResolver:
    """The names of a law's charges, from whatever they are called."""
    known = {node.number for node in law.of_kind("charge")}

    def name_of(written: str) -> str | None:
        official = written if written in known else shipped_charges().official(written)
        return official if official in known else None

    return name_of


def _named(charges: Iterable[str], naming: ChargeResolver, record: Record) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for written in charges:
        if name := naming(written):
            names[name] = None
        else:
            record.skip(f"unknown charge {written!r}")
    return tuple(names)
