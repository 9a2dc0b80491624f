"""Detection of file types by content. A file named .pdf or .docx must be one."""

from __future__ import annotations

from enum import Enum
from pathlib import PurePath

from lexgear.serve.uploads.errors import UploadError, UploadProblem


class FileType(Enum):
    """Supported file types."""

    TEXT = ".txt"
    WORD = ".docx"
    PDF = ".pdf"


_TEXT_NAMES = frozenset({"", ".txt", ".text", ".md"})
_OLD_WORD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Compound file: Word before 2007, or a .docx with a password."""
_PDF_HEADER_WITHIN = 1024
"""Maximum offset of the PDF header, as in other readers."""
_WIDE = (b"\xff\xfe", b"\xfe\xff")
"""Byte-order marks of UTF-16, in which every other byte may be zero."""


def file_type(filename: str, data: bytes) -> FileType:
    """Return the type of a file. Raises UploadError if it is not supported.

    >>> file_type("facts.txt", b"%PDF-1.7 ...")
    <FileType.PDF: '.pdf'>
    """
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise UploadError(422, UploadProblem.EMPTY)
    named = PurePath(filename.replace("\\", "/")).suffix.lower()
    kind = _by_content(data)
    if kind != FileType.TEXT:
        return kind
    if named in {FileType.WORD.value, FileType.PDF.value}:
        raise UploadError(415, UploadProblem.WRONG_EXTENSION, extension=named)
    if named not in _TEXT_NAMES:
        raise UploadError(415, UploadProblem.UNSUPPORTED)
    return kind


def _by_content(data: bytes) -> FileType:
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return FileType.WORD
    if b"%PDF-" in data[:_PDF_HEADER_WITHIN]:
        return FileType.PDF
    if data.startswith(_OLD_WORD):
        raise UploadError(415, UploadProblem.OLD_WORD)
    if data.startswith(b"{\\rtf") or (b"\0" in data and not data.startswith(_WIDE)):
        raise UploadError(415, UploadProblem.UNSUPPORTED)
    return FileType.TEXT
