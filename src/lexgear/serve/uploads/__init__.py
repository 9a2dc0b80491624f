"""The text of a file that somebody sends: .txt, .docx or .pdf, told by its content, read within limits."""

from __future__ import annotations

from lexgear.serve.settings import ServeSettings
from lexgear.serve.uploads.errors import UploadError, UploadProblem
from lexgear.serve.uploads.file_types import Kind, kind_of
from lexgear.serve.uploads.normalization import normalize
from lexgear.serve.uploads.plain_text import decode
from lexgear.serve.validation import check_text

_WIDEST = 4
"""Bytes of a character, in any encoding that is read."""


def text_of_upload(filename: str, data: bytes, settings: ServeSettings) -> str:
    """Return the text of an uploaded file. Slow: call it in a thread. Raises UploadError if it cannot be read."""
    if len(data) > settings.upload_bytes:
        raise UploadError(413, UploadProblem.LARGE, bytes=len(data), limit=settings.upload_bytes)
    kind, most = kind_of(filename, data), settings.text_characters
    if kind == Kind.PDF:
        from lexgear.serve.uploads.pdf import pdf_text

        text = pdf_text(data, settings)
    elif kind == Kind.WORD:
        from lexgear.serve.uploads.word import word_text

        text = word_text(data, most)
    elif len(data) > _WIDEST * (most + 1):
        raise UploadError(413, UploadProblem.LONG, limit=most)
    else:
        text = decode(data)
    text = normalize(text)
    if not text:
        raise UploadError(422, UploadProblem.NO_TEXT)
    if len(text) > most:
        raise UploadError(413, UploadProblem.LONG, limit=most)
    return check_text(text, most, "file")
