"""Markers by which a model declares the fields that hold personal data.

    class Summary(BaseModel):
        case: Annotated[str, PersonalData.CASE_ID]
        text: Annotated[str, PersonalData.TEXT]

`MaskedRoute` masks these fields before an answer is rendered.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

from pydantic import BaseModel


class PersonalData(Enum):
    """Kinds of fields with personal data."""

    NAME = "name"
    """The name of a person."""
    TEXT = "text"
    """A text of a case, or a mapping or list of such texts."""
    QUERY_TEXT = "query text"
    """A text that the client itself has sent, or a part of it."""
    WORDS = "words"
    """A list of words, or of models with a field `word`; parts of names are left out."""
    CASE_ID = "case id"
    """The id of a case: the names in this case are masked in the whole model."""


def marked_fields(model: BaseModel) -> dict[str, PersonalData]:
    """Return the marker of every field that has one."""
    fields = type(model).model_fields.items()
    return {name: mark for name, field in fields for mark in field.metadata if isinstance(mark, PersonalData)}


def query_texts(value: Any) -> Iterator[str]:
    """Yield the texts that a client has sent in a request model."""
    if isinstance(value, BaseModel):
        marks = marked_fields(value)
        for name in type(value).model_fields:
            inner = getattr(value, name)
            if marks.get(name) is PersonalData.QUERY_TEXT and isinstance(inner, str):
                yield inner
            else:
                yield from query_texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from query_texts(inner)
