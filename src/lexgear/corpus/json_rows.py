"""Conversion of documents and queries to and from the rows of `documents.jsonl` and `queries.jsonl`.

>>> document_row(Document("7", {"text": "…"}, charges=("盗窃罪",)))
{'id': '7', 'text': '…', 'charges': ['盗窃罪']}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from lexgear.corpus.datasets.reader import Row, UnusableError, get_id, get_text, get_texts
from lexgear.corpus.records import Citation, Count, Defendant, Document, Penalty, Query

SECTIONS = ("fact", "reasoning", "verdict")
"""Sections of a judgment; a row may have them as fields of its own instead of under `sections`."""

LARGEST = 10**15
"""Upper limit for the months and yuan of a penalty: far above any sentence, and within SQLite's integers."""

_PENALTY_NUMBERS = ("months", "probation_months", "fine")
_DETAILS = ("court", "level", "region", "date", "number", "authority", "in_force_from", "in_force_until")
_TEXTS = ("title", "node", *_DETAILS)


def document_row(document: Document) -> dict[str, Any]:
    """Return the row of a document without its empty fields, except `charges`, which is always there."""
    row: dict[str, Any] = {"id": document.id, "title": document.title}
    if set(document.sections) == {"text"}:
        row["text"] = document.sections["text"]
    else:
        row["sections"] = dict(document.sections)
    row |= {
        "node": document.node,
        "articles": [{"law": article.law, "number": article.number} for article in document.articles],
        "defendants": [_defendant_row(defendant) for defendant in document.defendants],
        "penalty": _penalty_row(document.penalty),
    }
    row |= {name: getattr(document, name) for name in _DETAILS}
    return {name: value for name, value in row.items() if value} | {"charges": list(document.charges)}


def document_from_row(row: Row) -> Document:
    """Return the document of a row; raise an UnusableError if a field is invalid."""
    return Document(
        id=get_id(row),
        sections=_sections(row),
        charges=get_texts(row, "charges"),
        articles=tuple(
            Citation(_text(article, "law"), _text(article, "number")) for article in _objects(row, "articles")
        ),
        defendants=tuple(_defendant(defendant) for defendant in _objects(row, "defendants")),
        penalty=_penalty(row),
        **{name: get_text(row, name) for name in _TEXTS if row.get(name) is not None},
    )


def query_row(query: Query) -> dict[str, Any]:
    """Return the row of a query without its empty labels."""
    row: dict[str, Any] = {"id": query.id, "text": query.text}
    labels = {
        "charges": list(query.charges),
        "split": query.split,
        "own": list(query.own_documents),
        "incomplete_labels": query.incomplete_labels,
    }
    return row | {name: value for name, value in labels.items() if value}


def query_from_row(row: Row) -> Query:
    """Return the query of a row. `text` is required but may be empty: such a query finds nothing."""
    return Query(
        get_id(row),
        get_text(row, "text"),
        get_texts(row, "charges"),
        split=get_text(row, "split") if row.get("split") is not None else "",
        own_documents=get_texts(row, "own"),
        incomplete_labels=_flag(row, "incomplete_labels"),
    )


def is_amount(value: object) -> bool:
    """Return whether a value is a valid number of months or yuan, or None."""
    return value is None or (type(value) is int and 0 <= value <= LARGEST)


def _sections(row: Row) -> dict[str, str]:
    given = [name for name in ("text", *SECTIONS) if row.get(name) is not None]
    if row.get("sections") is not None:
        parts = row["sections"]
        if not isinstance(parts, Mapping):
            raise UnusableError("sections is not an object")
        if given:
            raise UnusableError(f"both {given[0]} and sections are given")
        return {name: get_text(parts, name) for name in parts}
    return {name: get_text(row, name) for name in given}


def _objects(row: Row, field: str) -> list[Mapping[str, Any]]:
    values = row.get(field)
    if values is None:
        return []
    if not isinstance(values, list) or not all(isinstance(value, Mapping) for value in values):
        raise UnusableError(f"{field} is not a list of objects")
    return values


def _flag(row: Row, field: str) -> bool:
    value = row.get(field, False)
    if not isinstance(value, bool):
        raise UnusableError(f"{field} is neither true nor false")
    return value


def _text(row: Row, field: str) -> str:
    value = row.get(field)
    return str(value) if isinstance(value, int) else get_text(row, field)


def _penalty(row: Row) -> Penalty | None:
    value = row.get("penalty")
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise UnusableError("penalty is not an object")
    for name in _PENALTY_NUMBERS:
        if not is_amount(value.get(name)):
            raise UnusableError(f"{name} of the penalty is not a whole number from 0 to {LARGEST:,}")
    return Penalty(get_text(value, "kind"), *(value.get(name) for name in _PENALTY_NUMBERS))


def _penalty_row(penalty: Penalty | None) -> dict[str, Any] | None:
    if penalty is None:
        return None
    values = {field.name: getattr(penalty, field.name) for field in fields(penalty)}
    return {name: value for name, value in values.items() if value is not None}


def _defendant(row: Row) -> Defendant:
    counts = tuple(Count(get_text(count, "charge"), _penalty(count)) for count in _objects(row, "counts"))
    return Defendant(get_text(row, "name"), get_texts(row, "charges"), _penalty(row), counts)


def _defendant_row(defendant: Defendant) -> dict[str, Any]:
    row = {
        "name": defendant.name,
        "charges": list(defendant.charges),
        "penalty": _penalty_row(defendant.penalty),
        "counts": [count_row(count) for count in defendant.counts],
    }
    return {name: value for name, value in row.items() if value or name == "name"}


def count_row(count: Count) -> dict[str, Any]:
    """Return the row of the penalty for one charge."""
    penalty = _penalty_row(count.penalty)
    return {"charge": count.charge} | ({"penalty": penalty} if penalty else {})
