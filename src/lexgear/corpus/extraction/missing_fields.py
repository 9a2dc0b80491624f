"""Completion of documents with fields extracted from their text: charges, penalty, court, date."""

from __future__ import annotations

from collections.abc import Collection as Names
from dataclasses import fields, replace

from lexgear.corpus.extraction.judgments import read_judgment
from lexgear.corpus.records import Document


def fill_missing_fields(document: Document, *, full: str = "", given: Names[str] = ()) -> Document:
    """Return the judgment with its empty fields, except those in `given`, filled from its text."""
    parts = {name: document.sections.get(name, "") for name in ("fact", "reasoning", "verdict")}
    judgment = read_judgment(full=full or document.sections.get("text", ""), title=document.title, **parts)
    found = {field.name: getattr(judgment, field.name) for field in fields(judgment)}
    empty = {name: value for name, value in found.items() if not getattr(document, name)}
    return replace(document, **{name: value for name, value in empty.items() if name not in given})
