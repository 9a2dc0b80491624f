"""Documents that come to an index later: all of them are usable, or none is taken."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexgear.corpus.datasets.jsonl import charge_resolver, read_user_document
from lexgear.corpus.datasets.reader import Record, read_records
from lexgear.corpus.records import Document
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import InputError
from lexgear.files import read_jsonl
from lexgear.law.tree import LawTree

_MEND = "mend it; nothing was added"


def read_new_documents(file: Path, law: LawTree) -> tuple[Document, ...]:
    """The documents of a JSON lines file, for an index under this law.

    A line with `charges` is taken as it stands, as in a collection's `documents.jsonl`. One without is read as `lexgear
    import jsonl` reads it: where the law has charges, those of a Chinese judgment are read out of its text.
    """
    naming, judged = charge_resolver(law), bool(law.of_kind("charge"))

    def document(record: Record) -> Document:
        return read_user_document(record, naming, law, fill=judged and record.row.get("charges") is None)

    documents = read_records(file, read_jsonl(file), document, SkippedRecords(strict=True, remedy=_MEND))
    if not documents:
        raise InputError("no document in it", file=file, remedy="one JSON object a line, with `id` and `text`")
    return documents


def check_new_documents(documents: Sequence[Document], law: LawTree) -> None:
    """Refuses documents without a text, with a charge or a place that the law does not know, or with the same id."""
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
            raise InputError(f"{document.id}: {problems[0]}", remedy=_MEND)
        taken.add(document.id)
