"""What a file is: by its first bytes. A name that promises a PDF or a Word file has to keep to it."""

from __future__ import annotations

from enum import Enum
from pathlib import PurePath

from lexgear.serve.uploads.errors import UploadError, UploadProblem


class Kind(Enum):
    """What can be read."""

    TEXT = ".txt"
    WORD = ".docx"
    PDF = ".pdf"


_TEXT_NAMES = frozenset({"", ".txt", ".text", ".md"})
_OLD_WORD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""A compound file: what Word wrote before 2007, and what it puts around a .docx with a password."""
_PDF_WITHIN = 1024
"""Bytes that may stand before the header of a PDF: as many as other readers pass over."""
_WIDE = (b"\xff\xfe", b"\xfe\xff")
"""Byte-order marks of UTF-16, in which every other byte may be nothing."""


def kind_of(filename: str, data: bytes) -> Kind:
    """The kind of a file; what is of no kind that can be read is refused, with its reason.

    >>> kind_of("facts.txt", b"%PDF-1.7 ...")
    <Kind.PDF: '.pdf'>
    """
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise UploadError(422, UploadProblem.EMPTY)
    named = PurePath(filename.replace("\\", "/")).suffix.lower()
    kind = _by_content(data)
    if kind != Kind.TEXT:
        return kind
    if named in {Kind.WORD.value, Kind.PDF.value}:
        raise UploadError(415, UploadProblem.WRONG_EXTENSION, extension=named)
    if named not in _TEXT_NAMES:
        raise UploadError(415, UploadProblem.UNSUPPORTED)
    return kind


def _by_content(data: bytes) -> Kind:
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return Kind.WORD
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return Kind.PDF
    if data.startswith(_OLD_WORD):
        raise UploadError(415, UploadProblem.OLD_WORD)
    if data.startswith(b"{\\rtf") or (b"\0" in data and not data.startswith(_WIDE)):
        raise UploadError(415, UploadProblem.UNSUPPORTED)
    return Kind.TEXT
