"""Fills in what a document does not say in fields of its own but in its text: charges, penalty, court, date."""

from __future__ import annotations

from collections.abc import Collection as Names
from dataclasses import fields, replace

from lexgear.corpus.extraction.judgments import read_judgment
from lexgear.corpus.records import Document


def fill_in(document: Document, *, full: str = "", given: Names[str] = ()) -> Document:
    """The judgment with its empty fields read out of its text; those in `given` stay as they are."""
    parts = {name: document.sections.get(name, "") for name in ("fact", "reasoning", "verdict")}
    judgment = read_judgment(full=full or document.sections.get("text", ""), title=document.title, **parts)
    found = {field.name: getattr(judgment, field.name) for field in fields(judgment)}
    empty = {name: value for name, value in found.items() if not getattr(document, name)}
    return replace(document, **{name: value for name, value in empty.items() if name not in given})
