"""The text of a file that somebody sends: .txt, .docx or .pdf, told by its content, read within limits."""

from __future__ import annotations

from lexgear.serve.settings import ServeSettings
from lexgear.serve.text_limits import check_text
from lexgear.serve.uploads.kinds import Kind, kind_of
from lexgear.serve.uploads.plain import decoded
from lexgear.serve.uploads.refusals import Refused
from lexgear.serve.uploads.tidy import tidy

_WIDEST = 4
"""Bytes of a character, in any encoding that is read."""


def text_of_upload(filename: str, data: bytes, settings: ServeSettings) -> str:
    """The text of a file; a `Refused` says what is wrong with it and what to do. Takes time: call it in a thread."""
    if len(data) > settings.upload_bytes:
        raise Refused(413, "large", bytes=len(data), most=settings.upload_bytes)
    kind, most = kind_of(filename, data), settings.text_characters
    if kind == Kind.PDF:
        from lexgear.serve.uploads.pdf import pdf_text

        text = pdf_text(data, settings)
    elif kind == Kind.WORD:
        from lexgear.serve.uploads.word import word_text

        text = word_text(data, most)
    elif len(data) > _WIDEST * (most + 1):
        raise Refused(413, "long", most=most)
    else:
        text = decoded(data)
    text = tidy(text)
    if not text:
        raise Refused(422, "no_text")
    if len(text) > most:
        raise Refused(413, "long", most=most)
    return check_text(text, most, "file")
