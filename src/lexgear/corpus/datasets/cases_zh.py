"""Reader of cases-zh: facts of Chinese criminal cases with charges, from three sources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lexgear.corpus.datasets.reader import (
    Record,
    UnusableError,
    get_text,
    iter_records,
    need_file,
    official_charges,
)
from lexgear.corpus.document_files import new_documents
from lexgear.corpus.records import Collection, Defendant, Document
from lexgear.corpus.skipped_records import SkippedRecords
from lexgear.errors import ErrorCode, InputError
from lexgear.files import read_jsonl
from lexgear.law.shipped import chinese_criminal_law
from lexgear.progress import Progress

SOURCES = {
    "legalattack": "THUlawtech/LegalAttack",
    "mcp": "welchxu/MCP",
    "cail2022": "china-ai-law-challenge/CAIL2022",
}
"""Names of the sources, and the repositories that the records state."""
LICENCES = {"legalattack": "MIT", "mcp": "none stated", "cail2022": "none stated"}
DEFAULT_SOURCES = ("legalattack",)
"""The source whose licence permits weights that are distributed."""
_LAYOUT = "give the directory with cases.jsonl.xz"


def read_cases_zh(
    source: Path, skipped: SkippedRecords, progress: Progress, sources: Sequence[str] = DEFAULT_SOURCES
) -> Collection:
    """Read the cases of some sources as documents. There are no queries and no relevance labels."""
    if unknown := [name for name in sources if name not in SOURCES]:
        raise InputError(
            f"cases-zh has no source {unknown[0]!r}",
            code=ErrorCode.UNKNOWN_NAME,
            remedy=f"choose among {', '.join(SOURCES)}",
            name=unknown[0],
        )
    file = need_file(source, "cases.jsonl.xz", "cases.jsonl", remedy=_LAYOUT)
    repositories = {SOURCES[name] for name in sources}
    rows = ((line, row) for line, row in read_jsonl(file) if row.get("source") in repositories)
    documents = new_documents()
    for document in iter_records(file, rows, _case, skipped, progress=progress, parallel=True):
        documents.append(document)
    return Collection(
        name="cases-zh",
        language="zh",
        documents=documents.finished(),
        law=chinese_criminal_law(),
        source={
            "data set": "cases-zh",
            "url": ", ".join(f"https://github.com/{SOURCES[name]}" for name in sources),
            "licence": ", ".join(f"{name}: {LICENCES[name]}" for name in sources),
        },
    )


def _case(record: Record) -> Document:
    charges = record.charges("charges")
    if not charges:
        raise UnusableError("no charges")
    return Document(record.id, {"fact": record.text("fact")}, charges=charges, defendants=_defendants(record))


def _defendants(record: Record) -> tuple[Defendant, ...]:
    rows = record.row.get("defendants") or []
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UnusableError("defendants is not a list of objects")
    return tuple(Defendant(get_text(row, "name"), official_charges([get_text(row, "charge")], record)) for row in rows)
