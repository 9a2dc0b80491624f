"""Text of uploaded files (.txt, .docx, .pdf). The type is detected from the content; reading is limited."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexgear.serve.settings import ServeSettings

_MAX_BYTES_PER_CHARACTER = 4
"""Maximum number of bytes per character in the supported encodings."""


def text_of_upload(filename: str, data: bytes, settings: ServeSettings) -> str:
    """Return the text of an uploaded file. Slow: call it in a thread. Raises UploadError if it cannot be read.

    Imports are local because the confined process imports this package too; FastAPI alone would cost it two seconds.
    """
    from lexgear.serve.uploads.errors import UploadError, UploadProblem
    from lexgear.serve.uploads.file_types import FileType, file_type
    from lexgear.serve.uploads.normalization import normalize
    from lexgear.serve.uploads.plain_text import decode
    from lexgear.serve.uploads.reader import read_confined
    from lexgear.serve.validation import check_text

    if len(data) > settings.upload_bytes:
        raise UploadError(413, UploadProblem.LARGE, bytes=len(data), limit=settings.upload_bytes)
    kind, limit = file_type(filename, data), settings.text_characters
    if kind != FileType.TEXT:
        text = read_confined(kind, data, settings)
    elif len(data) > _MAX_BYTES_PER_CHARACTER * (limit + 1):
        raise UploadError(413, UploadProblem.LONG, limit=limit)
    else:
        text = normalize(decode(data))
    if not text:
        raise UploadError(422, UploadProblem.NO_TEXT)
    if len(text) > limit:
        raise UploadError(413, UploadProblem.LONG, limit=limit)
    return check_text(text, limit, "file")
