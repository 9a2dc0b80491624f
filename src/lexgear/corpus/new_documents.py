"""Documents to add to an existing index: all of them are valid, or none is added."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexgear.corpus.datasets.jsonl import charge_resolver, read_user_document
from lexgear.corpus.datasets.reader import Record, read_records
from lexgear.corpus.records import Document
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_jsonl
from lexgear.law.tree import LawTree

_REMEDY = "correct it and try again; nothing was added"


def read_new_documents(file: Path, law: LawTree) -> tuple[Document, ...]:
    """Read the documents of a JSON lines file for an index with this law.

    A line with `charges` is taken as it is, as in a collection's `documents.jsonl`. A line without is completed as in
    an import: if the law has charges, those of a Chinese judgment are extracted from its text.
    """
    resolve, has_charges = charge_resolver(law), bool(law.of_kind("charge"))

    def document(record: Record) -> Document:
        return read_user_document(record, resolve, law, fill=has_charges and record.row.get("charges") is None)

    documents = read_records(file, read_jsonl(file), document, SkippedRecords(strict=True, remedy=_REMEDY))
    if not documents:
        raise InputError(
            "the file has no documents",
            code=ErrorCode.FILE_MALFORMED,
            file=file,
            remedy="write one JSON object per line, with `id` and `text`",
        )
    return documents


def check_new_documents(documents: Sequence[Document], law: LawTree) -> None:
    """Raise an InputError for documents without text, with unknown charges or law nodes, or with repeated ids."""
    charges = {node.number for node in law.of_kind("charge")}
    taken: set[str] = set()
    for document in documents:
        problems = [f"unknown charge {name!r}" for name in document.charges if name not in charges]
        if document.id in taken:
            problems.append("duplicate id")
        if not document.text.strip():
            problems.append("no text")
        if document.node and document.node not in law:
            problems.append(f"the law has no node {document.node!r}")
        if problems:
            raise InputError(
                f"{document.id}: {problems[0]}",
                code=ErrorCode.RECORD_INVALID,
                remedy=_REMEDY,
                record=document.id,
                reason=problems[0],
            )
        taken.add(document.id)
